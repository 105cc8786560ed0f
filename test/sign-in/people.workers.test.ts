/** Who belongs where: sign-up, invitations, groups, roles, leaving, access tokens, sessions. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { directoryStub, workspaceStub } from "../../src/workspace/remote.ts";
import type { Account } from "../kit/company-account.ts";
import { callbackFor, finishSignIn, guestOf, visit } from "../kit/company-sign-in.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import {
  api,
  base,
  changeAccount,
  type Gateway,
  gatewayWith,
  newAccount,
  page,
  signedIn,
} from "./kit.ts";

const open = gatewayWith({ SIGN_UP: "open" });
const cloud = gatewayWith({ SIGN_UP: "open", MODE: "cloud", ALLOW_PRIVATE_UPSTREAMS: "true" });
const invited = gatewayWith({ OIDC_GROUPS_CLAIM: "groups" });

interface Me {
  user: { id: string; email: string } | null;
  workspace: string | null;
  role: string | null;
  workspaces: { id: string; name: string; role: string }[];
}

async function me(gateway: Gateway, by: CookieJar | string): Promise<Me> {
  const { status, body } = await api(gateway, { path: "/api/me", by });
  expect(status).toBe(200);
  return body as Me;
}

/** Somebody with a workspace of their own. */
async function owner(gateway = open) {
  const account = await newAccount();
  const jar = await signedIn(gateway, account);
  const { workspace, user } = await me(gateway, jar);
  return { account, jar, workspace: workspace ?? "", id: user?.id ?? "" };
}

type Owner = Awaited<ReturnType<typeof owner>>;

async function invite(by: Owner, body: object, gateway = open) {
  const answer = await api(gateway, {
    method: "POST",
    path: "/api/invitations",
    body,
    by: by.jar,
  });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; url: string; expires_at: string };
}

interface Guest {
  readonly account: Account;
  readonly gateway?: Gateway;
  readonly answer?: "join" | "no";
}

/** Opens an invitation's link and answers; the status of where it ends, and the browser. */
async function accept(url: string, { account, gateway = open, answer = "join" }: Guest) {
  const jar = new CookieJar();
  const path = url.slice(base.length);
  const back = await callbackFor(gateway, account, { jar, path });
  const send = (request: Request) => gateway.send(request);
  const last = await finishSignIn(back, { jar, send, answer });
  return { status: last.status, text: await last.text(), jar };
}

/** Somebody new with that role in the owner's workspace. */
async function member(of: Owner, role: string, gateway = open) {
  const account = await newAccount();
  const { url } = await invite(of, { role }, gateway);
  const { jar, status } = await accept(url, { account, gateway });
  expect(status).toBe(200);
  const { user } = await me(gateway, jar);
  return { account, jar, workspace: of.workspace, id: user?.id ?? "" };
}

async function statusOf(gateway: Gateway, call: Parameters<typeof api>[1]): Promise<number> {
  return (await api(gateway, call)).status;
}

async function makeKey(by: CookieJar, gateway = open): Promise<{ id: string; key: string }> {
  const path = "/api/harnesses/default/keys";
  const { status, body } = await api(gateway, { method: "POST", path, body: {}, by });
  expect(status).toBe(201);
  return body as { id: string; key: string };
}

/** What the key is good for: 200, or the refusal's status. */
async function useKey(key: string, gateway = open): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await gateway.send(new Request(`${base}/v1/models`, { headers }));
  await answer.arrayBuffer();
  return answer.status;
}

describe("a first sign-in", () => {
  it("where sign-up is open makes a user and a workspace of their own", async () => {
    const { account, jar, workspace } = await owner();
    const found = await me(open, jar);
    expect(found).toMatchObject({
      user: { email: account.email, name: account.name },
      role: "owner",
      workspaces: [{ id: workspace, name: `${account.name}'s workspace`, role: "owner" }],
    });
    expect((await page(open, "/dashboard", jar)).status).toBe(200);
    const again = await signedIn(open, account);
    expect(await me(open, again)).toEqual(found);
  });

  it("keeps workspaces apart", async () => {
    const [one, two] = [await owner(), await owner()];
    const headers = { "x-gateway-workspace": two.workspace };
    expect(await statusOf(open, { path: "/api/config", by: one.jar, headers })).toBe(403);
    expect(one.workspace).not.toBe(two.workspace);
  });
});

describe("an invitation", () => {
  it("is used by its link once, and gives the role that it says", async () => {
    const boss = await owner();
    const { url } = await invite(boss, { role: "viewer" });
    const guest = await newAccount();
    const first = await accept(url, { account: guest });
    expect(first.status).toBe(200);
    expect(await me(open, first.jar)).toMatchObject({ workspace: boss.workspace, role: "viewer" });
    const second = await accept(url, { account: await newAccount() });
    expect(second.status).toBe(403);
    expect(second.text).toContain("was used");
    expect((await accept(url, { account: guest })).status).toBe(200);
  });

  it("joins somebody at once who belongs to no workspace yet", async () => {
    const boss = await owner();
    const { url } = await invite(boss, { role: "member" });
    const jar = new CookieJar();
    const path = url.slice(base.length);
    const back = await callbackFor(open, await newAccount(), { jar, path });
    const last = await visit({ url: back, jar, send: (request: Request) => open.send(request) });
    expect([last.status, await guestOf(last)]).toEqual([200, undefined]);
    expect(await me(open, jar)).toMatchObject({ workspace: boss.workspace, role: "member" });
  });

  it("joins no member of another workspace who has not said so, and names no more than workspace, role and who invites", async () => {
    const boss = await owner();
    const { url } = await invite(boss, { role: "member" });
    const { account: guest } = await owner();
    const jar = new CookieJar();
    const send = (request: Request) => open.send(request);
    const back = await callbackFor(open, guest, { jar, path: url.slice(base.length) });
    const offer = await visit({ url: back, jar, send });
    const text = await offer.clone().text();
    for (const shown of [boss.account.email, `${boss.account.name}&#39;s workspace`, guest.email])
      expect(text).toContain(shown);
    expect(text).not.toContain(boss.workspace);
    expect(offer.headers.get("refresh")).toBeNull();
    expect(jar.value("gateway_session")).toBeUndefined();
    const members = async () =>
      ((await api(open, { path: "/api/members", by: boss.jar })).body as { data: object[] }).data;
    expect(await members()).toHaveLength(1);
    const form = new URLSearchParams({ guest: (await guestOf(offer)) ?? "", answer: "join" });
    const join = { url: `${base}/auth/join`, jar, form, send };
    const headers = { origin: "http://evil.test", "sec-fetch-site": "cross-site" };
    expect((await visit({ ...join, headers })).status).toBe(403);
    const forged = new URLSearchParams({ guest: `${form.get("guest") ?? ""}x`, answer: "join" });
    expect((await visit({ ...join, form: forged })).status).toBe(400);
    expect(await members()).toHaveLength(1);
    expect((await visit(join)).status).toBe(200);
    expect(await me(open, jar)).toMatchObject({ workspace: boss.workspace, role: "member" });
    const other = new CookieJar();
    expect((await visit({ ...join, jar: other })).status).toBe(400);
    expect(other.value("gateway_session")).toBeUndefined();
  });

  it("that a member of another workspace does not want now stays, and lets them in by Join alone", async () => {
    const boss = await owner(cloud);
    const gateway = gatewayWith();
    const { url } = await invite(boss, { role: "viewer" }, cloud);
    const { account, workspace: own } = await owner(cloud);
    const declined = await accept(url, { account, gateway, answer: "no" });
    expect(declined).toMatchObject({ status: 200, text: expect.stringContaining("Not joined") });
    expect(declined.jar.value("gateway_session")).toBeUndefined();
    const { workspaces } = await me(gateway, await signedIn(gateway, account));
    expect(workspaces.map(({ id }) => id)).toEqual([own]);
    const { jar } = await accept(url, { account, gateway });
    expect(await me(gateway, jar)).toMatchObject({ workspace: boss.workspace, role: "viewer" });
  });

  it("is used by one of those who open it at the same moment", async () => {
    const boss = await owner();
    const { url } = await invite(boss, { role: "member" });
    const guests = await Promise.all([newAccount(), newAccount(), newAccount()]);
    const ends = await Promise.all(guests.map((account) => accept(url, { account })));
    expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
  });

  it("for an e-mail address is for nobody else", async () => {
    const boss = await owner();
    const guest = await newAccount();
    const { url } = await invite(boss, { role: "member", email: guest.email.toUpperCase() });
    const wrong = await accept(url, { account: await newAccount() });
    expect(wrong.status).toBe(403);
    expect(wrong.text).toContain("another e-mail address");
    expect((await accept(url, { account: guest })).status).toBe(200);
  });

  it("for an e-mail address needs no link, and does not take the place of a workspace of one's own", async () => {
    const boss = await owner(cloud);
    const guest = await newAccount();
    await invite(boss, { role: "owner", email: guest.email }, cloud);
    const jar = await signedIn(cloud, guest);
    const { workspace, workspaces } = await me(cloud, jar);
    expect(workspaces.map(({ id }) => id)).toContain(boss.workspace);
    expect(workspace).not.toBe(boss.workspace);
    expect(workspaces[0]?.id).toBe(workspace);
  });

  it("ends by itself", async () => {
    const boss = await owner();
    const { expires_at: ends } = await invite(boss, { role: "member", expires_in: 60 });
    expect(Date.parse(ends) - Date.now()).toBeLessThanOrEqual(60_000);
    for (const seconds of [0, 31 * 86_400])
      expect(
        await statusOf(open, {
          method: "POST",
          path: "/api/invitations",
          body: { role: "member", expires_in: seconds },
          by: boss.jar,
        }),
      ).toBe(400);
  });

  it("can be taken back, and is listed until then", async () => {
    const boss = await owner();
    const { id, url } = await invite(boss, { role: "member" });
    const list = async () =>
      (await api(open, { path: "/api/invitations", by: boss.jar })).body as { data: object[] };
    const { data } = await list();
    expect(data).toMatchObject([{ id, role: "member", email: null }]);
    expect(JSON.stringify(data)).not.toContain(url.split("=").at(-1));
    const path = `/api/invitations/${id}`;
    expect(await statusOf(open, { method: "DELETE", path, by: boss.jar })).toBe(204);
    expect((await list()).data).toEqual([]);
    expect((await accept(url, { account: await newAccount() })).status).toBe(403);
  });

  it("is an owner's alone to make", async () => {
    const boss = await owner();
    for (const role of ["member", "viewer"]) {
      const { jar } = await member(boss, role);
      const headers = { "x-gateway-workspace": boss.workspace };
      const call = { method: "POST", path: "/api/invitations", body: { role: "viewer" }, headers };
      expect(await statusOf(open, { ...call, by: jar })).toBe(403);
    }
  });

  it("lets in who may not sign up, from the administrator on", async () => {
    const gateway = invited;
    const root = gateway.env.ADMIN_TOKEN;
    const guest = await newAccount();
    const asked = { method: "POST", path: "/api/members", by: root };
    const body = { role: "owner", email: guest.email };
    const added = await api(gateway, { ...asked, body });
    expect(added).toMatchObject({
      status: 201,
      body: {
        member: null,
        invitation: { url: expect.stringContaining("/auth/login?invitation=") },
      },
    });
    const jar = await signedIn(gateway, guest);
    expect(await me(gateway, jar)).toMatchObject({ workspace: "default", role: "owner" });
    // Who is known belongs to the workspace at once.
    const { body: made } = await api(gateway, {
      method: "POST",
      path: "/api/workspaces",
      body: { name: "Two" },
      by: root,
    });
    const two = (made as { id: string }).id;
    const again = await api(gateway, { ...asked, body, headers: { "x-gateway-workspace": two } });
    expect(again.body).toMatchObject({ member: { email: guest.email, role: "owner" } });
    expect((await me(gateway, jar)).workspaces.map(({ id }) => id)).toEqual(["default", two]);
  });
});

describe("groups", () => {
  /** A workspace whose document gives roles to groups. */
  async function withGroups(groups: object) {
    const by = invited.env.ADMIN_TOKEN;
    const { body } = await api(invited, {
      method: "POST",
      path: "/api/workspaces",
      body: { name: "Grouped" },
      by,
    });
    const { id } = body as { id: string };
    const headers = { "x-gateway-workspace": id };
    const put = async (next: object) => {
      const document = { harnesses: [{ id: "default", name: "Default" }], groups: next };
      const call = { method: "PUT", path: "/api/config", body: document, by, headers };
      expect(await statusOf(invited, call)).toBe(200);
    };
    await put(groups);
    return { id, put };
  }
  const rolesIn = async (jar: CookieJar, id: string) =>
    (await me(invited, jar)).workspaces.filter((place) => place.id === id).map(({ role }) => role);

  it("let in, and the strongest role wins", async () => {
    const names = [crypto.randomUUID(), crypto.randomUUID()] as const;
    const { id } = await withGroups({ [names[0]]: "viewer", [names[1]]: "owner" });
    const jar = await signedIn(invited, await newAccount({ groups: names }));
    expect(await rolesIn(jar, id)).toEqual(["owner"]);
    const outside = await newAccount({ groups: ["others"] });
    await expect(signedIn(invited, outside)).rejects.toThrow("403");
  });

  it("are read anew at each sign-in: roles follow, keys end", async () => {
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const { id } = await withGroups({ [one]: "member", [two]: "viewer" });
    const account = await newAccount({ groups: [one] });
    const jar = await signedIn(invited, account);
    const { key } = await makeKey(jar, invited);
    await changeAccount({ ...account, groups: [two] });
    expect(await rolesIn(await signedIn(invited, account), id)).toEqual(["viewer"]);
    expect(await useKey(key, invited)).toBe(401);
    await changeAccount({ ...account, groups: [one] });
    const { key: second } = await makeKey(await signedIn(invited, account), invited);
    expect(await useKey(second, invited)).toBe(200);
    await changeAccount({ ...account, groups: [] });
    const out = await signedIn(invited, account);
    expect(await rolesIn(out, id)).toEqual([]);
    expect(await useKey(second, invited)).toBe(401);
    expect(await page(invited, "/dashboard", out)).toMatchObject({ status: expect.any(Number) });
    await changeAccount({ ...account, groups: [one] });
    await makeKey(await signedIn(invited, account), invited);
  });

  it("that the document does not name any more end at once, roles by invitation stay", async () => {
    const group = crypto.randomUUID();
    const { id, put } = await withGroups({ [group]: "member" });
    const jar = await signedIn(invited, await newAccount({ groups: [group] }));
    const { key } = await makeKey(jar, invited);
    const kept = await newAccount({ groups: [group] });
    const keptJar = await signedIn(invited, kept);
    const { user } = await me(invited, keptJar);
    const path = `/api/members/${user?.id ?? ""}`;
    const headers = { "x-gateway-workspace": id };
    const by = invited.env.ADMIN_TOKEN;
    const role = { role: "viewer" };
    expect(await statusOf(invited, { method: "PATCH", path, body: role, by, headers })).toBe(409);
    const owns = { role: "owner" };
    expect(await statusOf(invited, { method: "PATCH", path, body: owns, by, headers })).toBe(200);
    await put({});
    expect(await rolesIn(jar, id)).toEqual([]);
    expect(await useKey(key, invited)).toBe(401);
    expect(await rolesIn(keptJar, id)).toEqual(["owner"]);
    await put({ [group]: "viewer" });
    expect(await rolesIn(jar, id)).toEqual(["viewer"]);
  });
});

describe("leaving", () => {
  it("ends keys, tokens and the session's choice at once", async () => {
    const boss = await owner();
    const guest = await member(boss, "member");
    const { key } = await makeKey(guest.jar);
    const { body } = await api(open, {
      method: "POST",
      path: "/api/tokens",
      body: { name: "t", role: "member" },
      by: guest.jar,
    });
    const { token } = body as { token: string };
    expect([await useKey(key), (await me(open, token)).role]).toEqual([200, "member"]);
    const path = `/api/members/${guest.id}`;
    expect(await statusOf(open, { method: "DELETE", path, by: guest.jar })).toBe(204);
    expect(await useKey(key)).toBe(401);
    expect(await statusOf(open, { path: "/api/me", by: token })).toBe(401);
    expect((await me(open, guest.jar)).workspaces).toEqual([]);
    expect(await statusOf(open, { method: "DELETE", path, by: boss.jar })).toBe(404);
  });

  it("is everybody's right, removing others an owner's", async () => {
    const boss = await owner();
    const [one, two] = [await member(boss, "member"), await member(boss, "viewer")];
    const remove = (id: string, by: CookieJar) =>
      statusOf(open, { method: "DELETE", path: `/api/members/${id}`, by });
    expect(await remove(one.id, two.jar)).toBe(403);
    expect(await remove(boss.id, one.jar)).toBe(403);
    expect(await remove(two.id, two.jar)).toBe(204);
    expect(await remove(one.id, boss.jar)).toBe(204);
  });

  it("is not for the last owner, nor can they be demoted", async () => {
    const boss = await owner();
    const path = `/api/members/${boss.id}`;
    expect(await statusOf(open, { method: "DELETE", path, by: boss.jar })).toBe(409);
    const body = { role: "member" };
    expect(await statusOf(open, { method: "PATCH", path, body, by: boss.jar })).toBe(409);
    expect(await statusOf(open, { method: "DELETE", path, by: open.env.ADMIN_TOKEN })).toBe(404);
    const headers = { "x-gateway-workspace": boss.workspace };
    const asRoot = { method: "DELETE", path, by: open.env.ADMIN_TOKEN, headers };
    expect(await statusOf(open, asRoot)).toBe(409);
  });

  it("leaves one of two owners who leave at the same moment", async () => {
    const boss = await owner();
    const other = await member(boss, "owner");
    const leave = ({ id, jar }: Pick<Owner, "id" | "jar">) =>
      statusOf(open, { method: "DELETE", path: `/api/members/${id}`, by: jar });
    const ends = await Promise.all([leave(boss), leave(other)]);
    expect(ends.toSorted((left, right) => left - right)).toEqual([204, 409]);
  });

  it("can be undone by another invitation, after which keys can be made again", async () => {
    const boss = await owner();
    const guest = await member(boss, "member");
    const path = `/api/members/${guest.id}`;
    expect(await statusOf(open, { method: "DELETE", path, by: boss.jar })).toBe(204);
    const { url } = await invite(boss, { role: "member" });
    const { jar } = await accept(url, { account: guest.account });
    expect(await useKey((await makeKey(jar)).key)).toBe(200);
  });
});

describe("members", () => {
  it("see themselves alone, owners and viewers everybody", async () => {
    const boss = await owner();
    const [one, two] = [await member(boss, "member"), await member(boss, "viewer")];
    const seen = async (by: CookieJar) => {
      const { body } = await api(open, { path: "/api/members", by });
      return (body as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    expect(await seen(one.jar)).toEqual([one.id]);
    expect(await seen(boss.jar)).toEqual([boss.id, one.id, two.id]);
    expect(await seen(two.jar)).toEqual([boss.id, one.id, two.id]);
  });

  it("have roles that count at once, and limits", async () => {
    const boss = await owner();
    const guest = await member(boss, "viewer");
    const path = `/api/members/${guest.id}`;
    const limits = [{ metric: "requests", period: "day", max: 3, action: "block" }];
    const change = (body: object) => api(open, { method: "PATCH", path, body, by: boss.jar });
    expect(await statusOf(open, { path: "/api/invitations", by: guest.jar })).toBe(403);
    expect((await change({ role: "owner" })).body).toMatchObject({ role: "owner" });
    expect(await statusOf(open, { path: "/api/invitations", by: guest.jar })).toBe(200);
    expect((await change({ limits })).body).toMatchObject({ role: "owner", limits });
    expect((await change({ role: "root" })).status).toBe(400);
    const { body } = await api(open, { path: "/api/members", by: boss.jar });
    expect(body).toMatchObject({ data: [{ id: boss.id }, { id: guest.id, limits }] });
  });
});

describe("keys", () => {
  interface Listed {
    data: { id: string; person: string | null }[];
  }
  const path = "/api/harnesses/default/keys";
  const keysOf = async (by: CookieJar) =>
    ((await api(open, { path, by })).body as Listed).data.map(({ id }) => id);
  const make = (by: CookieJar | string, body: object, headers = {}) =>
    api(open, { method: "POST", path, body, by, headers });

  it("belong to whoever makes them; members see and revoke their own alone", async () => {
    const boss = await owner();
    const [one, two] = [await member(boss, "member"), await member(boss, "viewer")];
    const { id: mine } = await makeKey(boss.jar);
    const { id: theirs } = await makeKey(one.jar);
    expect(await keysOf(one.jar)).toEqual([theirs]);
    expect(await keysOf(boss.jar)).toEqual([mine, theirs]);
    expect((await make(two.jar, {})).status).toBe(403);
    const revoke = (id: string) =>
      statusOf(open, { method: "DELETE", path: `${path}/${id}`, by: one.jar });
    expect([await revoke(mine), await revoke(theirs)]).toEqual([404, 204]);
  });

  it("are made for others, or for nobody, by owners alone", async () => {
    const boss = await owner();
    const guest = await member(boss, "member");
    const { body } = await make(boss.jar, { person: guest.id });
    expect(await keysOf(guest.jar)).toEqual([(body as { id: string }).id]);
    expect((await make(boss.jar, { person: null })).status).toBe(201);
    expect((await make(boss.jar, { person: "usr_nobody" })).status).toBe(404);
    expect((await make(guest.jar, { person: boss.id })).status).toBe(403);
    expect((await make(guest.jar, { person: null })).status).toBe(403);
    const headers = { "x-gateway-workspace": boss.workspace };
    const made = await make(open.env.ADMIN_TOKEN, {}, headers);
    expect(made.status).toBe(201);
    const { body: all } = await api(open, { path, by: boss.jar });
    expect((all as Listed).data.map(({ person }) => person)).toEqual([guest.id, null, null]);
  });

  it("show their requests and usage to their person and to owners", async () => {
    const boss = await owner();
    const guest = await member(boss, "member");
    for (const { jar } of [boss, guest]) {
      const { key } = await makeKey(jar);
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ model: "auto", messages: [{ role: "user", content: "hi" }] });
      const url = `${base}/v1/chat/completions`;
      const answer = await open.send(new Request(url, { method: "POST", headers, body }));
      expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
    }
    const rows = async (by: CookieJar) =>
      ((await api(open, { path: "/api/requests", by })).body as { data: { id: string }[] }).data;
    const [[own], all] = [await rows(guest.jar), await rows(boss.jar)];
    expect(all.map(({ id }) => id)).toContain(own?.id);
    expect([(await rows(guest.jar)).length, all.length]).toEqual([1, 2]);
    const other = all.find(({ id }) => id !== own?.id)?.id ?? "";
    expect(await statusOf(open, { path: `/api/requests/${other}`, by: guest.jar })).toBe(404);
    expect(await statusOf(open, { path: `/api/requests/${own?.id}`, by: guest.jar })).toBe(200);
    const used = async (by: CookieJar) => {
      const { body } = await api(open, { path: "/api/usage?by=day&group=model", by });
      const { data } = body as { data: { requests: number }[] };
      return data.reduce((sum, { requests }) => sum + requests, 0);
    };
    expect([await used(guest.jar), await used(boss.jar)]).toEqual([1, 2]);
  });
});

describe("a member who becomes a viewer", () => {
  it("loses their keys at once, gets none, and none back with another role", async () => {
    const boss = await owner();
    const guest = await member(boss, "member");
    const { key } = await makeKey(guest.jar);
    const give = (role: string) =>
      statusOf(open, {
        method: "PATCH",
        path: `/api/members/${guest.id}`,
        body: { role },
        by: boss.jar,
      });
    expect([await useKey(key), await give("viewer"), await useKey(key)]).toEqual([200, 200, 401]);
    const path = "/api/harnesses/default/keys";
    const theirs = { method: "POST", path, body: { person: guest.id }, by: boss.jar };
    expect(await statusOf(open, theirs)).toBe(400);
    expect([await give("member"), await useKey(key)]).toEqual([200, 401]);
    expect(await useKey((await makeKey(guest.jar)).key)).toBe(200);
  });

  it("by a document that gives their group less loses them too", async () => {
    const by = invited.env.ADMIN_TOKEN;
    const name = { name: "Demoting" };
    const made = await api(invited, { method: "POST", path: "/api/workspaces", body: name, by });
    const headers = { "x-gateway-workspace": (made.body as { id: string }).id };
    const group = crypto.randomUUID();
    const put = (role: string) => {
      const body = { harnesses: [{ id: "default", name: "D" }], groups: { [group]: role } };
      return statusOf(invited, { method: "PUT", path: "/api/config", body, by, headers });
    };
    expect(await put("member")).toBe(200);
    const jar = await signedIn(invited, await newAccount({ groups: [group] }));
    const { key } = await makeKey(jar, invited);
    expect([await put("viewer"), await useKey(key, invited)]).toEqual([200, 401]);
    expect(await put("member")).toBe(200);
    await makeKey(jar, invited);
  });
});

describe("access tokens", () => {
  const make = (by: CookieJar | string, body: object) =>
    api(open, { method: "POST", path: "/api/tokens", body: { name: "t", ...body }, by });

  it("have a role that is not above their maker's, and follow the maker's", async () => {
    const boss = await owner();
    const guest = await member(boss, "owner");
    const { body } = await make(guest.jar, { role: "owner" });
    const { token } = body as { token: string };
    expect(token).toMatch(/^gwa_/);
    expect((await me(open, token)).role).toBe("owner");
    const path = `/api/members/${guest.id}`;
    await api(open, { method: "PATCH", path, body: { role: "viewer" }, by: boss.jar });
    expect((await me(open, token)).role).toBe("viewer");
    expect((await make(guest.jar, { role: "member" })).status).toBe(403);
    expect((await make(token, { role: "viewer" })).status).toBe(201);
  });

  it("see and revoke none that may do more, and themselves in any case", async () => {
    const boss = await owner();
    const [strong, weak] = await Promise.all(
      ["owner", "viewer"].map(
        async (role) => (await make(boss.jar, { role })).body as { id: string; token: string },
      ),
    );
    const list = async (by: string) =>
      ((await api(open, { path: "/api/tokens", by })).body as { data: { id: string }[] }).data;
    const remove = (id = "", by = "") =>
      statusOf(open, { method: "DELETE", path: `/api/tokens/${id}`, by });
    expect((await list(weak?.token ?? "")).map(({ id }) => id)).toEqual([weak?.id]);
    expect(await list(strong?.token ?? "")).toHaveLength(2);
    expect(await remove(strong?.id, weak?.token)).toBe(404);
    const ending = { method: "DELETE", path: "/api/sessions", by: weak?.token ?? "" };
    expect(await statusOf(open, ending)).toBe(403);
    expect(await statusOf(open, { path: "/api/me", by: boss.jar })).toBe(200);
    expect(await remove(weak?.id, weak?.token)).toBe(204);
    expect((await me(open, strong?.token ?? "")).role).toBe("owner");
  });

  it("end when they say, and make none that outlive them", async () => {
    const boss = await owner();
    const soon = new Date(Date.now() + 1500).toISOString();
    const { body } = await make(boss.jar, { role: "owner", expires_at: soon });
    const { token } = body as { token: string };
    expect((await make(token, { role: "owner" })).status).toBe(400);
    expect((await make(token, { role: "owner", expires_at: soon })).status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1600));
    expect(await statusOf(open, { path: "/api/me", by: token })).toBe(401);
    const over = new Date(Date.now() - 1000).toISOString();
    expect((await make(boss.jar, { role: "owner", expires_at: over })).status).toBe(400);
  });

  it("are listed without their text, each with its owner, and revoked", async () => {
    const boss = await owner();
    const guest = await member(boss, "member");
    const { body } = await make(guest.jar, { role: "member" });
    const { id, token } = body as { id: string; token: string };
    await me(open, token);
    await make(boss.jar, { role: "viewer" });
    const list = async (by: CookieJar) =>
      ((await api(open, { path: "/api/tokens", by })).body as { data: object[] }).data;
    expect(await list(guest.jar)).toMatchObject([
      { id, role: "member", person: guest.id, last_used_at: expect.stringMatching(/^\d{4}/) },
    ]);
    expect(await list(boss.jar)).toHaveLength(2);
    expect(JSON.stringify(await list(boss.jar))).not.toContain(token);
    const path = `/api/tokens/${id}`;
    expect(await statusOf(open, { method: "DELETE", path, by: boss.jar })).toBe(204);
    expect(await statusOf(open, { path: "/api/me", by: token })).toBe(401);
  });
});

/** The same objects; counts how often one is asked for. */
function counted<Namespace extends DurableObjectNamespace>(
  namespace: Namespace,
  calls: { directory: number },
): Namespace {
  return new Proxy(namespace, {
    get(target, name) {
      if (name === "get") calls.directory += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("sessions", () => {
  it("are listed and ended, one by one or all, those of others untouched", async () => {
    const { account, jar: first } = await owner();
    const other = await owner();
    const [second, third] = [await signedIn(open, account), await signedIn(open, account)];
    const { body } = await api(open, { path: "/api/sessions", by: first });
    const { data } = body as { data: { id: string }[] };
    expect(data).toHaveLength(3);
    const path = `/api/sessions/${data[0]?.id ?? ""}`;
    expect(await statusOf(open, { method: "DELETE", path, by: other.jar })).toBe(404);
    expect(await statusOf(open, { method: "DELETE", path, by: first })).toBe(204);
    const good = async (jars: CookieJar[]) =>
      await Promise.all(jars.map((by) => statusOf(open, { path: "/api/me", by: by.copy() })));
    const statuses = await good([first, second, third]);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 401]);
    const all = { method: "DELETE", path: "/api/sessions", by: first };
    expect(await statusOf(open, all)).toBe(204);
    expect(await good([first, second, third, other.jar])).toEqual([401, 401, 401, 200]);
  });

  it("that have ended are looked up once a minute", async () => {
    const { jar } = await owner();
    const ended = jar.copy();
    expect(await statusOf(open, { method: "DELETE", path: "/api/sessions", by: jar })).toBe(204);
    const calls = { directory: 0 };
    const counting = gatewayWith({
      SIGN_UP: "open",
      DIRECTORY: counted(open.env.DIRECTORY, calls),
    });
    for (let asked = 0; asked < 5; asked += 1)
      expect(await statusOf(counting, { path: "/api/me", by: ended.copy() })).toBe(401);
    expect(calls.directory).toBe(1);
  });

  it("are not used by pages of other origins", async () => {
    const { jar } = await owner();
    const call = { method: "PUT", path: "/api/config", body: {}, by: jar };
    expect(await statusOf(open, { ...call, headers: { origin: "https://evil.test" } })).toBe(403);
    expect(await statusOf(open, { ...call, headers: { "sec-fetch-site": "same-site" } })).toBe(403);
    expect(await statusOf(open, call)).toBe(200);
  });

  it("end when the identity provider is another one", async () => {
    const { jar } = await owner();
    const elsewhere = gatewayWith({ OIDC_ISSUER: "https://login.example.com" });
    expect(await statusOf(elsewhere, { path: "/api/me", by: jar.copy() })).toBe(401);
    expect(await statusOf(open, { path: "/api/me", by: jar })).toBe(200);
  });
});

describe("what one person makes is bounded", () => {
  async function made(by: Owner, path: string, body: object): Promise<unknown> {
    const answer = await api(open, { method: "POST", path, body, by: by.jar });
    return answer.status === 201 ? 201 : answer;
  }

  const tooMany = { status: 409, body: { error: { code: "too_many" } } };

  async function ids(by: Owner, path: string, limit: number): Promise<string[]> {
    const found: string[] = [];
    let before = "";
    do {
      const answer = await api(open, { path: `${path}?limit=${limit}${before}`, by: by.jar });
      const { data, next } = answer.body as { data: { id: string }[]; next?: string };
      expect(data.length).toBeLessThanOrEqual(limit);
      found.push(...data.map(({ id }) => id));
      before = next === undefined ? "" : `&before=${next}`;
    } while (before !== "");
    return found;
  }

  it("in keys, which are listed in pages; keys of nobody do not count", async () => {
    const somebody = await owner();
    const { body } = await api(open, { path: "/api/config", by: somebody.jar });
    const harness = (body as { harnesses: { id: string }[] }).harnesses[0]?.id ?? "";
    const path = `/api/harnesses/${harness}/keys`;
    expect(await made(somebody, path, {})).toBe(201);
    const stub = workspaceStub(open.env, somebody.workspace);
    const [first] = (await stub.listKeys(harness)) ?? [];
    if (first === undefined) throw new Error("the key is not listed");
    for (let count = 0; count < 199; count++)
      await stub.createKey({ ...first, id: `key_${count}`, hash: `${first.hash}${count}` });
    expect(await made(somebody, path, {})).toMatchObject(tooMany);
    expect(await made(somebody, path, { person: null })).toBe(201);
    const found = await ids(somebody, path, 70);
    expect([found.length, new Set(found).size]).toEqual([201, 201]);
    expect((await api(open, { path: `${path}?before=x`, by: somebody.jar })).status).toBe(400);
    const gone = `${path}/${found[0]}`;
    expect((await api(open, { method: "DELETE", path: gone, by: somebody.jar })).status).toBe(204);
    expect(await made(somebody, path, {})).toBe(201);
  });

  it("in access tokens", async () => {
    const somebody = await owner();
    const body = { name: "t", role: "viewer" };
    expect(await made(somebody, "/api/tokens", body)).toBe(201);
    // The binding's class.
    const stub = directoryStub(open.env) as unknown as DurableObjectStub;
    await runInDurableObject(stub, (_instance, { storage: { sql } }) => {
      for (let count = 0; count < 99; count++)
        sql.exec(
          `INSERT INTO access_tokens (id, hash, workspace, role, user, name, last4, created, expires)
           SELECT id || ?1, hash || ?1, workspace, role, user, name, last4, created, expires
           FROM access_tokens WHERE workspace = ?2 LIMIT 1`,
          `-${count}`,
          somebody.workspace,
        );
    });
    expect(await made(somebody, "/api/tokens", body)).toMatchObject(tooMany);
    expect(await ids(somebody, "/api/tokens", 30)).toHaveLength(100);
    expect(await made(await owner(), "/api/tokens", body)).toBe(201);
  });

  it("in sessions: the one unused for the longest time gives way", async () => {
    const account = await newAccount();
    const first = await signedIn(open, account);
    const { user } = await me(open, first);
    // The binding's class.
    const stub = directoryStub(open.env) as unknown as DurableObjectStub;
    await runInDurableObject(stub, (_instance, { storage: { sql } }) => {
      for (let count = 0; count < 99; count++)
        sql.exec(
          `INSERT INTO sessions (id, token, workspace, used, handle, user, chosen, agent, created, changed)
           SELECT id || ?1, token, workspace, used - 1000 - ?1, handle || ?1, user, chosen, agent, created, changed
           FROM sessions WHERE user = ?2 AND id NOT LIKE '%-%' ORDER BY used DESC LIMIT 1`,
          `-${count}`,
          user?.id ?? "",
        );
    });
    const second = await signedIn(open, account);
    const { body } = await api(open, { path: "/api/sessions", by: second });
    expect((body as { data: unknown[] }).data).toHaveLength(100);
    for (const jar of [first, second])
      expect((await api(open, { path: "/api/me", by: jar })).status).toBe(200);
  });
});
