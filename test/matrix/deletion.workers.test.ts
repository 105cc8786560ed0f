/** Who deletes a workspace, by which role, and what their credentials are good for afterwards. */
import { beforeEach, describe, expect, it } from "vitest";
import { type AdminReply, askAdmin } from "../kit/admin-api.ts";
import { type Credential, type Credentials, makeCredentials, makePeople } from "./kit/actors.ts";
import { gatewayBase, send } from "./kit/gateway.ts";
import { makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";

let own: Place;
let foreign: Place;
let credentials: Credentials;

beforeEach(async () => {
  own = await makePlace();
  foreign = await makePlace();
  credentials = await makeCredentials({ own, foreign }, await makePeople({ own, foreign }));
});

async function ask(call: string, { kind, text }: Credential): Promise<AdminReply> {
  const headers = { cookie: `gateway_session=${text}`, origin: gatewayBase };
  return await askAdmin(send, call, {
    token: kind === "token" ? text : "",
    ...(kind === "session" && { headers }),
  });
}

function deletionOf(id: string, confirmed = id): string {
  return `DELETE /api/workspaces/${id}?confirm=${encodeURIComponent(confirmed)}`;
}

/** All credentials that reached the workspace. */
function ofOwn(): readonly Credential[] {
  const { owner, member, viewer, "workspace token": token } = credentials;
  return [...owner, ...member, ...viewer, ...token];
}

describe("the deletion of a workspace", () => {
  it("is refused to the owner who does not repeat its id", async () => {
    const before = await storedText([own.id]);
    for (const credential of [...credentials.owner, ...credentials.root])
      for (const confirmed of ["", "yes", foreign.id, ` ${own.id}`, own.id.toUpperCase()])
        expect((await ask(deletionOf(own.id, confirmed), credential)).status).toBe(400);
    expect(await storedText([own.id])).toBe(before);
  });

  it("is refused to the owner of it whose token has a lesser role, and to who owns another one", async () => {
    const before = await storedText([own.id]);
    const asking = [...credentials.member, ...credentials.viewer, ...credentials.stranger];
    for (const credential of [...asking, ...credentials.operator])
      expect((await ask(deletionOf(own.id), credential)).status).toBe(403);
    expect(await storedText([own.id])).toBe(before);
  });

  it("means the workspace of the path, whatever the header names", async () => {
    const [token] = credentials.owner;
    const given = { token: token?.text ?? "", workspace: own.id };
    const before = await storedText([own.id, foreign.id]);
    const reply = await askAdmin(send, deletionOf(foreign.id), given);
    expect(reply.status).toBe(403);
    expect(await storedText([own.id, foreign.id])).toBe(before);
  });

  it("is done for root but with the workspace that every deployment has", async () => {
    for (const credential of credentials.root)
      expect((await ask(deletionOf("default"), credential)).status).toBe(409);
  });

  it("leaves no credential of it that reads or makes anything", async () => {
    const session = credentials.owner.find(({ kind }) => kind === "session");
    if (session === undefined) throw new Error("no session");
    const reaching = ofOwn();
    expect((await ask(deletionOf(own.id), session)).status).toBe(204);
    for (const credential of reaching)
      for (const call of ["GET /api/config", "GET /api/requests", "GET /api/members"]) {
        const { status, json } = await ask(call, credential);
        expect([401, 403]).toContain(status);
        expect(JSON.stringify(json)).not.toContain(own.hidden);
      }
    for (const call of [`GET /api/workspaces/${own.id}`, `GET /api/workspaces/${own.id}/export`])
      for (const credential of credentials.root)
        expect((await ask(call, credential)).status).toBe(404);
    const directory = await storedText([]);
    for (const word of [`Workspace ${own.canary}`, `Token ${own.canary}`])
      expect(directory.includes(word), word).toBe(false);
  });

  it("leaves nothing to its clients' keys, and everything to the other workspace's", async () => {
    const session = credentials.owner.find(({ kind }) => kind === "session");
    if (session === undefined) throw new Error("no session");
    await ask(deletionOf(own.id), session);
    for (const { key, status } of [
      { key: own.key, status: 401 },
      { key: foreign.key, status: 200 },
    ]) {
      const headers = { authorization: `Bearer ${key}` };
      const models = await send(new Request(`${gatewayBase}/v1/models`, { headers }));
      expect(models.status).toBe(status);
    }
  });
});
