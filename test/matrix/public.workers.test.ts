/** Paths outside the admin API and the dashboard, for everybody, in every kind of deployment. */
import { beforeAll, describe, expect, it } from "vitest";
import { operationNames } from "../../src/core/operation-name.ts";
import { operations } from "../../src/operations/records.ts";
import type { Env } from "../../src/store/env.ts";
import { askAdmin } from "../kit/admin-api.ts";
import { makePeople, type People } from "./kit/actors.ts";
import { gatewayBase, gatewayEnv, send, sendIn } from "./kit/gateway.ts";
import { accessToken } from "./kit/people.ts";
import { makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";
import { type Asker, askers, type Deployment, deployments, publicTable } from "./public-table.ts";

const {
  OIDC_ISSUER: _,
  OIDC_CLIENT_ID: __,
  OIDC_CLIENT_SECRET: ___,
  ...withoutPeople
} = gatewayEnv;

const settings: Readonly<Record<Deployment, Env>> = {
  company: { ...gatewayEnv, MODE: "self-hosted" },
  tokens: { ...withoutPeople, MODE: "self-hosted" },
  cloud: gatewayEnv,
  "cloud tokens": withoutPeople,
};

/** Headers of each asker. */
type Headers = Readonly<Record<string, string>>;

let own: Place;
let foreign: Place;
let people: People;
let credentials: Readonly<Record<Asker, Headers>>;

beforeAll(async () => {
  own = await makePlace();
  foreign = await makePlace();
  people = await makePeople({ own, foreign });
  credentials = await makeAskers();
});

function bearer(text: string): Headers {
  return { authorization: `Bearer ${text}` };
}

async function makeAskers(): Promise<Record<Asker, Headers>> {
  const { owner, viewer, member } = people;
  const asMember = (await accessToken(own, "member", { of: member })).text;
  const made = await askAdmin(send, `POST /api/harnesses/${own.harness}/keys`, {
    token: asMember,
    body: {},
  });
  return {
    nobody: {},
    root: { ...bearer(gatewayEnv.ADMIN_TOKEN), "x-gateway-workspace": own.id },
    "workspace token": bearer(own.token),
    owner: bearer((await accessToken(own, "owner", { of: owner })).text),
    viewer: bearer((await accessToken(own, "viewer", { of: viewer })).text),
    member: bearer(asMember),
    session: { cookie: `gateway_session=${owner.session}` },
    key: bearer(own.key),
    "person's key": bearer(String(made.json["key"])),
  };
}

const limit = { scope: { type: "organization" }, amount: "100000", period: "daily" };

/** What the calls send that send something. */
const bodies: Readonly<Record<string, string | URLSearchParams>> = {
  "POST /oauth/device_authorization": new URLSearchParams({ client_id: "claude-code" }),
  "POST /oauth/token": new URLSearchParams({ grant_type: "refresh_token", refresh_token: "" }),
  "POST /oauth/revoke": new URLSearchParams({ token: "nobody's" }),
  "POST /v1beta/models/auto:countTokens": '{"contents":[{"parts":[{"text":"hi"}]}]}',
  "POST /models/auto:countTokens": '{"contents":[{"parts":[{"text":"hi"}]}]}',
  "POST /v1/metrics": "{}",
  ...Object.fromEntries(operationNames.map((name) => [`POST /v1${operations[name].path}`, "{}"])),
  "POST /v1/logs": "{}",
  "POST /v1/traces": "{}",
  "POST /v1/organizations/spend_limits": JSON.stringify(limit),
};

async function ask(deployment: Deployment, call: string, headers: Headers) {
  const [method = "", path = ""] = call.split(" ");
  const { [call]: body } = bodies;
  const type = typeof body === "string" ? { "content-type": "application/json" } : undefined;
  const answer = await sendIn(settings[deployment])(
    new Request(`${gatewayBase}${path}`, {
      method,
      redirect: "manual",
      headers: { ...headers, ...type },
      ...(body !== undefined && { body }),
    }),
  );
  return { status: answer.status, text: await answer.text() };
}

describe.each(deployments)("a deployment of the kind %s", (deployment) => {
  it.each(Object.keys(publicTable))("answers %s to whom it is for", async (call) => {
    const statuses = publicTable[call]?.[deployment].split(" ") ?? [];
    for (const [at, asker] of askers.entries()) {
      const { status, text } = await ask(deployment, call, credentials[asker]);
      expect(status, `${asker}: ${text.slice(0, 200)}`).toBe(
        Number(statuses[statuses.length === 1 ? 0 : at]),
      );
      for (const word of [own.hidden, foreign.hidden, foreign.canary])
        expect(text, asker).not.toContain(word);
    }
  });

  it("says of what is not offered here what it says of any unknown path", async () => {
    const lacking = Object.keys(publicTable).filter(
      (call) => publicTable[call]?.[deployment] === "404" && !/\/(auth|docs)\//.test(call),
    );
    for (const call of lacking) {
      const { text } = await ask(deployment, call, credentials.root);
      const [, path = ""] = call.split(" ");
      expect(text).toContain(`Unknown path: ${path}.`);
    }
  });

  it("sets no spend limit of another workspace, and tells of none", async () => {
    const calls = Object.keys(publicTable).filter((call) => call.includes("/spend_limits"));
    const elsewhere = { "x-gateway-workspace": foreign.id };
    const before = await storedText([foreign.id]);
    for (const asker of ["workspace token", "owner", "viewer", "member"] as const)
      for (const call of calls) {
        const { status, text } = await ask(deployment, call, {
          ...credentials[asker],
          ...elsewhere,
        });
        expect(status, `${asker}: ${call}`).toBe(403);
        expect(text).not.toContain(foreign.canary);
      }
    expect(await storedText([foreign.id])).toBe(before);
  });

  it("ends a browser's session by its own pages alone", async () => {
    const headers = credentials.session;
    for (const origin of ["http://evil.test", "null"])
      expect((await ask(deployment, "POST /auth/logout", { ...headers, origin })).status).toBe(403);
    const me = await askAdmin(sendIn(settings.company), "GET /api/me", { token: "", headers });
    expect(me.json).toMatchObject({ user: { id: people.owner.user } });
  });
});
