import { describe, expect, it } from "vitest";
import { directoryStub } from "../../src/workspace/remote.ts";
import {
  askForCode,
  env,
  knock,
  person,
  redeem,
  type TestPerson,
  withoutPeople,
} from "./device-kit.ts";

async function page(path: string, { cookie }: Pick<TestPerson, "cookie">) {
  const answer = await knock(path, { headers: { cookie } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function judge(form: Record<string, string>, { cookie }: TestPerson, more = {}) {
  const headers = {
    cookie,
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
    ...more,
  };
  const body = new URLSearchParams(form).toString();
  const answer = await knock("/dashboard/device", { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

describe("the page where a program's code is confirmed", () => {
  it("sends whoever is not signed in to do that, and back with the code", async () => {
    const answer = await page("/dashboard/device?code=bcdf-ghjk", { cookie: "" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(
      "/auth/login?return=%2Fdashboard%2Fdevice%3Fcode%3DBCDF-GHJK",
    );
  });

  it("shows the code, who asks and where it will work, and does nothing by itself", async () => {
    const dev = await person();
    const agent = 'claude-code/2.1.330 <script>alert("x")</script>';
    const { user_code: code, device_code: device } = await askForCode({
      "user-agent": agent,
      "x-test-address": "203.0.113.9",
    });
    const { status, text, headers } = await page(`/dashboard/device?code=${code}`, dev);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    for (const shown of [code, "203.0.113.9", "claude-code/2.1.330", dev.email])
      expect(text).toContain(shown);
    expect(text).not.toContain("<script>alert");
    expect(await redeem(device)).toMatchObject({ json: { error: "authorization_pending" } });
  });

  it("signs the program in when the person confirms", async () => {
    const dev = await person();
    const { user_code: code, device_code: device } = await askForCode();
    const form = { code, workspace: dev.workspace, verdict: "confirm" };
    expect(await judge(form, dev)).toMatchObject({
      status: 200,
      text: expect.stringContaining("Signed in") as string,
    });
    expect(await redeem(device)).toMatchObject({ status: 200, json: { email: dev.email } });
    expect((await judge(form, dev)).status).toBe(404);
  });

  it.each([
    ["denies", (own: string) => ({ workspace: own, verdict: "deny" })],
    ["names another's workspace", () => ({ workspace: "default", verdict: "confirm" })],
    ["names no verdict", (own: string) => ({ workspace: own })],
  ])("refuses the program when the person %s", async (_what, more) => {
    const dev = await person();
    const { user_code: code, device_code: device } = await askForCode();
    expect((await judge({ code, ...more(dev.workspace) }, dev)).text).toContain("Denied");
    expect(await redeem(device)).toMatchObject({ json: { error: "access_denied" } });
  });

  it("takes no word from another site's page", async () => {
    const dev = await person();
    const { user_code: code, device_code: device } = await askForCode();
    const form = { code, workspace: dev.workspace, verdict: "confirm" };
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.test" };
    expect((await judge(form, dev, foreign)).status).toBe(403);
    expect(await redeem(device)).toMatchObject({ json: { error: "authorization_pending" } });
  });

  it("offers a choice of several workspaces, and nothing to those who may have no keys", async () => {
    const dev = await person();
    const other = await person();
    const more = { workspace: other.workspace, user: dev.id, role: "member", most: null } as const;
    await directoryStub(env).addMember(more);
    const { user_code: code } = await askForCode();
    const { text } = await page(`/dashboard/device?code=${code}`, dev);
    expect(text).toContain(`<option value="${dev.workspace}"`);
    expect(text).toContain(`<option value="${other.workspace}"`);
    const viewer = await person("viewer");
    const shown = await page(`/dashboard/device?code=${code}`, viewer);
    expect(shown.text).not.toContain('value="confirm"');
    expect(shown.text).toContain("Ask an owner");
  });

  it("asks for a code where none came, and is slow for those who guess", async () => {
    const dev = await person();
    expect((await page("/dashboard/device", dev)).text).toContain('name="code"');
    const headers = { cookie: dev.cookie, "x-test-address": "10.222.0.1" };
    const statuses = [];
    for (let guess = 0; guess < 22; guess += 1) {
      const answer = await knock("/dashboard/device?code=BCDF-GHJK", { headers });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 20).every((status) => status === 404)).toBe(true);
    expect(statuses.slice(20)).toEqual([429, 429]);
  });

  it("is unknown where programs cannot be signed in", async () => {
    const dev = await person();
    const headers = { cookie: dev.cookie };
    const answer = await knock("/dashboard/device", { headers }, withoutPeople);
    expect(answer.status).toBe(404);
  });
});
