/** What a member finds: keys, rows and usage of their own, and nothing of other members'. */
import { beforeAll, describe, expect, it } from "vitest";
import { type AdminReply, askAdmin } from "../kit/admin-api.ts";
import { send } from "./kit/gateway.ts";
import { accessToken, arrived, type Someone } from "./kit/people.ts";
import { makePlace, oneRequest, type Place } from "./kit/places.ts";

/** A member with a token, a key, and a row that the key made. */
interface Member {
  readonly someone: Someone;
  readonly token: string;
  readonly keyId: string;
  readonly key: string;
  readonly requestId: string;
}

let place: Place;
let one: Member;
let other: Member;
let viewer: string;

async function ask(token: string, call: string, body?: unknown): Promise<AdminReply> {
  return await askAdmin(send, call, { token, ...(body !== undefined && { body }) });
}

async function makeMember(name: string): Promise<Member> {
  const someone = await arrived(`${name}.${place.canary}@corp.test`, { place, role: "member" });
  const { text: token } = await accessToken(place, "member", { of: someone });
  const path = `POST /api/harnesses/${place.harness}/keys`;
  const { json } = await ask(token, path, { name: `Key of ${name}` });
  const key = String(json["key"]);
  const request = { canary: place.canary, model: `${place.providerId}/m` };
  return {
    someone,
    token,
    keyId: String(json["id"]),
    key,
    requestId: await oneRequest(key, request),
  };
}

beforeAll(async () => {
  place = await makePlace();
  one = await makeMember("one");
  other = await makeMember("other");
  const watching = await arrived(`viewer.${place.canary}@corp.test`, { place, role: "viewer" });
  viewer = (await accessToken(place, "viewer", { of: watching })).text;
});

function idsOf({ json }: AdminReply): string[] {
  return (json["data"] as { id: string }[]).map(({ id }) => id);
}

describe("a member", () => {
  it("is shown their own keys", async () => {
    const keys = `GET /api/harnesses/${place.harness}/keys`;
    expect(idsOf(await ask(one.token, keys))).toEqual([one.keyId]);
    expect(idsOf(await ask(viewer, keys))).toEqual([place.keyId, one.keyId, other.keyId]);
  });

  it.each(["other's", "nobody's"])("neither changes nor revokes %s key", async (whose) => {
    const [id, text] = whose === "nobody's" ? [place.keyId, place.key] : [other.keyId, other.key];
    const path = `/api/harnesses/${place.harness}/keys/${id}`;
    expect((await ask(one.token, `DELETE ${path}`)).status).toBe(404);
    const changed = await ask(one.token, `PATCH ${path}`, { name: "mine" });
    expect(changed.status).toBe(403);
    const request = { canary: place.canary, model: `${place.providerId}/m` };
    await oneRequest(text, request);
  });

  it("makes no key for somebody else", async () => {
    const path = `POST /api/harnesses/${place.harness}/keys`;
    const made = await ask(one.token, path, { person: other.someone.user });
    expect(made.status).toBe(403);
  });

  it("finds their own rows, whatever they filter by", async () => {
    const searches = [
      "",
      `?harness=${place.harness}`,
      "?status=200",
      `?model=${place.providerId}/m`,
      "?outcome=ok,failed,blocked",
      "?from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z",
      `?provider=${place.providerId}&min_cost=0`,
      `?person=${one.someone.user}`,
      "?q=req_",
      `?q=${place.canary}&key=Key+of+one`,
    ];
    for (const search of searches) {
      const ids = idsOf(await ask(one.token, `GET /api/requests${search}`));
      expect(ids, search).toEqual([one.requestId]);
    }
    expect(idsOf(await ask(viewer, "GET /api/requests"))).toContain(other.requestId);
  });

  it("finds nothing where they ask for what is others'", async () => {
    const searches = [
      `person=${other.someone.user}`,
      `key=${other.keyId}`,
      "key=Key+of+other",
      `q=${other.requestId}`,
      `q=${other.keyId}`,
    ];
    for (const search of searches)
      expect(idsOf(await ask(one.token, `GET /api/requests?${search}`)), search).toEqual([]);
  });

  it.each(["text/csv", "application/x-ndjson"])(
    "takes away their own rows as %s",
    async (accept) => {
      for (const search of ["", `?person=${other.someone.user}`, "?q=req_"]) {
        const headers = { authorization: `Bearer ${one.token}`, accept };
        const url = `http://gateway.test/api/requests${search}`;
        const text = await (await send(new Request(url, { headers }))).text();
        expect(text.includes(one.requestId), search).toBe(!search.startsWith("?person"));
        for (const id of [other.requestId, other.keyId, place.requestId])
          expect(text).not.toContain(id);
      }
    },
  );

  it("finds no row of anybody else by its id", async () => {
    expect((await ask(one.token, `GET /api/requests/${one.requestId}`)).status).toBe(200);
    for (const id of [other.requestId, place.requestId])
      expect((await ask(one.token, `GET /api/requests/${id}`)).status).toBe(404);
  });

  it("reads their own usage", async () => {
    const groups = [
      "model",
      "harness",
      "provider",
      "tier",
      "key",
      "session",
      "agent",
      "role",
      "tag",
    ];
    for (const group of groups) {
      const { json } = await ask(one.token, `GET /api/usage?by=day&group=${group}`);
      const sums = (json["data"] as { requests: number }[]).map(({ requests }) => requests);
      expect(sums, group).toEqual([1]);
      expect(json["total"], group).toMatchObject({ requests: 1 });
    }
    const { json } = await ask(one.token, "GET /api/usage?group=key");
    expect(json["groups"]).toMatchObject([{ group: one.keyId }]);
  });
});
