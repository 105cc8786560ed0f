/** People of a company at a real gateway: from the first sign-in to the last. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLane, provider, replyScript, request, type Json } from "../kit/asking.ts";
import { type Company, startCompany } from "../kit/company.ts";
import { callbackFor, finishSignIn } from "../kit/company-sign-in.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
/** A process that starts on a busy machine. */
const patience = 120_000;

let company: Company;
let host: Host;

beforeAll(async () => {
  company = await startCompany({ accounts: [] });
  const settings = { MODE: "cloud", ALLOW_PRIVATE_UPSTREAMS: "true", SIGN_UP: "open" };
  const environment = { ...settings, ...company.settings };
  host = await npmStart({ state: space.folder, environment });
}, patience);

afterAll(async () => {
  await host.stop();
  await company.close();
  space.remove();
}, patience);

/** Somebody at the company, with a browser. */
interface Someone {
  readonly email: string;
  readonly jar: CookieJar;
}

function someone(name: string): Someone {
  const sub = `${name}-${crypto.randomUUID().slice(0, 8)}`;
  const email = `${sub}@corp.test`;
  company.put({ sub, email, name });
  return { email, jar: new CookieJar() };
}

/** Signs in by the link, and joins where it leads to a workspace; the status of the last page. */
async function opens({ email, jar }: Someone, link = "/auth/login"): Promise<number> {
  const url = await callbackFor({ base: host.base }, email, { jar, path: link });
  const answer = await finishSignIn(url, { jar });
  await answer.arrayBuffer();
  return answer.status;
}

/** One call of the admin API by somebody's session. */
async function call({ jar }: Someone, what: string, body?: unknown) {
  const [method = "", path = ""] = what.split(" ");
  const url = host.base + path;
  const answer = await fetch(url, {
    method,
    headers: { cookie: jar.header(url), origin: host.base, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  jar.take(url, answer);
  const text = await answer.text();
  return { status: answer.status, json: (text === "" ? {} : JSON.parse(text)) as Json };
}

async function signedUp(name: string): Promise<Someone> {
  const newcomer = someone(name);
  expect(await opens(newcomer)).toBe(200);
  return newcomer;
}

/** An owner of a workspace with a provider that answers. */
async function founder(name: string): Promise<Someone> {
  const owner = await signedUp(name);
  const lane = openLane();
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  const document = {
    providers: [provider({ id: "lab", format: "chat", lane })],
    harnesses: [{ id: "h", name: "H" }],
  };
  const put = await call(owner, "PUT /api/config", document);
  expect(put.status, JSON.stringify(put.json)).toBe(200);
  return owner;
}

async function invitation(owner: Someone, role: string): Promise<string> {
  const { json } = await call(owner, "POST /api/invitations", { role });
  const { pathname, search } = new URL(String(json["url"]));
  return pathname + search;
}

/** Somebody who came by an invitation, and works in the workspace that it leads to. */
async function joined(owner: Someone, role: string): Promise<Someone> {
  const guest = someone(role);
  expect(await opens(guest, await invitation(owner, role))).toBe(200);
  return guest;
}

async function me(of: Someone): Promise<Json> {
  return (await call(of, "GET /api/me")).json;
}

async function idOf(of: Someone): Promise<string> {
  return String(((await me(of))["user"] as Json)["id"]);
}

async function membersOf(owner: Someone): Promise<Json[]> {
  return (await call(owner, "GET /api/members")).json["data"] as Json[];
}

/** The status of a request with the key. */
async function asks(key: string): Promise<number> {
  const answer = await fetch(`${host.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(request("chat", { model: "lab/m" })),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function keyOf(of: Someone): Promise<string> {
  return String((await call(of, "POST /api/harnesses/h/keys", {})).json["key"]);
}

describe("people of a company", () => {
  it("sign up, make a key, are served, leave, and are refused in the very next request", async () => {
    const owner = await founder("ada");
    expect(await me(owner)).toMatchObject({ role: "owner", user: { email: owner.email } });
    const member = await joined(owner, "member");
    expect(await me(member)).toMatchObject({ role: "member" });
    const [ownersKey, key] = [await keyOf(owner), await keyOf(member)];
    expect(await asks(key)).toBe(200);
    const { status } = await call(member, `DELETE /api/members/${await idOf(member)}`);
    expect(status).toBe(204);
    expect(await asks(key)).toBe(401);
    expect(await asks(ownersKey)).toBe(200);
    expect((await call(member, "GET /api/config")).status).not.toBe(200);
  });

  it("end a second browser by signing out everywhere", async () => {
    const owner = await signedUp("ben");
    const second = { ...owner, jar: new CookieJar() };
    expect(await opens(second)).toBe(200);
    expect((await call(second, "GET /api/me")).status).toBe(200);
    expect((await call(owner, "DELETE /api/sessions")).status).toBe(204);
    for (const browser of [owner, second])
      expect((await call(browser, "GET /api/me")).status).toBe(401);
  });

  it("get another session by every sign-in, and never one that was put into their browser", async () => {
    const attacker = await signedUp("eve");
    const planted = attacker.jar.value("gateway_session");
    const victim = someone("vic");
    victim.jar.plant(host.base, `gateway_session=${planted}; Path=/`);
    expect(await opens(victim)).toBe(200);
    expect(victim.jar.value("gateway_session")).not.toBe(planted);
    expect(await me(victim)).toMatchObject({ user: { email: victim.email } });
    const after = await call(attacker, "GET /api/me");
    expect(JSON.stringify(after.json)).not.toContain(victim.email);
  });

  it("leave one owner behind when two of them leave at once", async () => {
    const one = await founder("cleo");
    const two = await joined(one, "owner");
    const ids = [await idOf(one), await idOf(two)];
    const left = await Promise.all([
      call(one, `DELETE /api/members/${ids[0]}`),
      call(two, `DELETE /api/members/${ids[1]}`),
    ]);
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set([204, 409]));
    const who = left[0]?.status === 204 ? two : one;
    expect((await membersOf(who)).map(({ role }) => role)).toEqual(["owner"]);
  });

  it("make one member of an invitation that two of them use at once", async () => {
    const owner = await founder("dora");
    const link = await invitation(owner, "member");
    const guests = [someone("guest"), someone("guest")];
    const statuses = await Promise.all(guests.map((guest) => opens(guest, link)));
    expect(new Set(statuses)).toEqual(new Set([200, 403]));
    expect(await membersOf(owner)).toHaveLength(2);
    expect(await opens(someone("late"), link)).toBe(403);
  });

  it("cannot make themselves more than they are", async () => {
    const owner = await founder("fay");
    const member = await joined(owner, "member");
    const id = await idOf(member);
    expect((await call(member, `PATCH /api/members/${id}`, { role: "owner" })).status).toBe(403);
    const token = { name: "more", role: "owner" };
    expect((await call(member, "POST /api/tokens", token)).status).toBe(403);
    expect((await call(member, "POST /api/invitations", { role: "owner" })).status).toBe(403);
    expect(await me(member)).toMatchObject({ role: "member" });
  });
});
