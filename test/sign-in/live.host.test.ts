/** The sign-in of a gateway as users start it: another process, real sockets, a real OpenID Connect server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Company, startCompany } from "../kit/company.ts";
import { callbackFor, signInTo, visit } from "../kit/company-sign-in.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { type Host, npmStart, scratch } from "../smoke/host.ts";

const space = scratch();
/** A process that starts on a busy machine. */
const patience = 120_000;
const boss = { sub: "boss", email: "boss@corp.test", name: "Boss" };
const guest = { sub: "guest", email: "guest@corp.test", groups: ["staff"] };

let company: Company;
let host: Host;

beforeAll(async () => {
  company = await startCompany({ accounts: [boss, guest], claimsIn: "userinfo" });
  const environment = { ...company.settings, OIDC_GROUPS_CLAIM: "groups" };
  host = await npmStart({ state: space.folder, environment });
}, patience);

afterAll(async () => {
  await host.stop();
  await company.close();
  space.remove();
}, patience);

async function ask(
  path: string,
  { by, method = "GET", body }: { by: CookieJar | string; method?: string; body?: unknown },
) {
  const url = host.base + path;
  const answer = await fetch(url, {
    method,
    redirect: "manual",
    headers:
      typeof by === "string"
        ? { authorization: `Bearer ${by}` }
        : { cookie: by.header(url), origin: host.base },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
}

describe("a team's gateway", () => {
  it("tells the first person that the administrator invites", async () => {
    const jar = new CookieJar();
    const answer = await visit({ url: await callbackFor(host, boss, { jar }), jar });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("ADMIN_TOKEN");
  });

  it("lets in who is invited, by claims of the userinfo endpoint, and who is in a group", async () => {
    const invitation = { role: "owner", email: boss.email };
    const by = host.adminToken;
    const made = await ask("/api/invitations", { by, method: "POST", body: invitation });
    expect(made.status).toBe(201);
    const jar = await signInTo(host, boss.email);
    expect((await ask("/api/me", { by: jar })).body).toMatchObject({ role: "owner" });
    expect((await ask("/dashboard", { by: jar })).status).toBe(200);
    const { body: config } = await ask("/api/config", { by: jar });
    const document = { ...config, groups: { staff: "member" } };
    expect((await ask("/api/config", { by: jar, method: "PUT", body: document })).status).toBe(200);
    const other = await signInTo(host, guest.email);
    expect((await ask("/api/me", { by: other })).body).toMatchObject({ role: "member" });
    expect((await ask("/api/config", { by: other })).status).toBe(403);
  });

  it("refuses keys of somebody from the moment they left", async () => {
    const jar = await signInTo(host, guest.email);
    const made = await ask("/api/harnesses/default/keys", { by: jar, method: "POST", body: {} });
    const { key } = made.body as { key: string };
    expect((await ask("/v1/models", { by: key })).status).toBe(200);
    const { body: me } = await ask("/api/me", { by: jar });
    const path = `/api/members/${(me as { user: { id: string } }).user.id}`;
    expect((await ask(path, { by: jar, method: "DELETE" })).status).toBe(204);
    expect((await ask("/v1/models", { by: key })).status).toBe(401);
    expect((await ask("/dashboard", { by: jar })).status).not.toBe(200);
  });
});
