/** Who gets in, and where writing requests may come from. */
import { get } from "node:http";
import { pageRights } from "../../src/dashboard/page-rights.ts";
import { admin } from "../smoke/host.ts";
import { check, expect, expectSame } from "./report.ts";
import { sendChat, type Stage } from "./stage.ts";

/** Every writing route, below `/dashboard/`; first those that ask for no session. */
const open = writingPaths((right) => right === "open");
const writing = [...open, ...writingPaths((right) => right !== "open")];

function writingPaths(fits: (right: string) => boolean): string[] {
  return pageRights
    .filter(([method, , right]) => method === "POST" && fits(right))
    .map(([, path]) => path.slice(1).replaceAll(/:\w+/g, "default"));
}

export async function safety(stage: Stage): Promise<void> {
  const { gateway } = stage;
  const post = (path: string, headers: Record<string, string>, body = "") =>
    fetch(`${gateway.base}/dashboard/${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body,
    });
  const own = { origin: gateway.base, "sec-fetch-site": "same-origin" };
  const signIn = async () => {
    const answer = await post("sign-in", own, `token=${gateway.adminToken}`);
    return { answer, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
  const { answer, cookie } = await signIn();

  await check(
    "the session's cookie is strict, hidden from scripts, and new at every sign-in",
    async () => {
      const text = answer.headers.get("set-cookie") ?? "";
      for (const part of ["HttpOnly", "SameSite=Strict", "Path=/;"])
        expect(text.includes(part), `${part} is missing: ${text}`);
      expect((await signIn()).cookie !== cookie, "the id is the same");
    },
  );

  const foreign: Record<string, Record<string, string>> = {
    nothing: {},
    "a foreign Origin": { origin: "https://evil.invalid" },
    "the Origin null": { origin: "null" },
    "another port of this host": { origin: "http://127.0.0.1:1" },
    "Sec-Fetch-Site: cross-site": { "sec-fetch-site": "cross-site", origin: gateway.base },
    "Sec-Fetch-Site: same-site": { "sec-fetch-site": "same-site" },
    "Sec-Fetch-Site: none": { "sec-fetch-site": "none" },
    "both, at odds": { "sec-fetch-site": "same-origin", origin: "https://evil.invalid" },
  };
  for (const [name, headers] of Object.entries(foreign)) {
    await check(`${writing.length} writing routes refuse ${name}`, async () => {
      for (const path of writing) {
        expectSame((await post(path, { ...headers, cookie })).status, 403, path);
      }
    });
  }

  await check("without a session nothing is written and nothing is shown", async () => {
    for (const path of writing.slice(open.length))
      expectSame((await post(path, own)).status, 401, path);
    const { status, headers } = await fetch(`${gateway.base}/dashboard/settings/export`, {
      redirect: "manual",
    });
    expectSame([status, headers.get("location")], [303, "/dashboard/sign-in"], "export");
    expectSame(
      (await fetch(`${gateway.base}/dashboard/live`, { headers: { "X-Part": "1" } })).status,
      401,
      "live",
    );
  });

  await check(
    "an API key opens no page, the cookie no endpoint of models, nor anything to pages elsewhere",
    async () => {
      const { key } = await admin<{ key: string }>(gateway, "POST /api/harnesses/default/keys");
      expectSame((await post("sign-in", own, `token=${key}`)).status, 401, "a key as a token");
      const bearer = { authorization: `Bearer ${key}` };
      expectSame(
        (await fetch(`${gateway.base}/dashboard`, { headers: bearer, redirect: "manual" })).status,
        303,
        "a key in a header",
      );
      expectSame(
        (await fetch(`${gateway.base}/v1/models`, { headers: { cookie } })).status,
        401,
        "the cookie on /v1",
      );
      for (const elsewhere of [
        { origin: "https://evil.invalid" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
      ]) {
        const refused = await fetch(`${gateway.base}/api/config`, {
          headers: { cookie, ...elsewhere },
        });
        expectSame(refused.status, 403, `the cookie on /api with ${JSON.stringify(elsewhere)}`);
      }
    },
  );

  await check("every answer forbids frames, inline scripts and guessing", async () => {
    for (const path of [
      "/dashboard",
      "/dashboard/sign-in",
      "/dashboard/nothing",
      "/dashboard/requests/x",
    ]) {
      const { headers } = await fetch(gateway.base + path, {
        headers: { cookie },
        redirect: "manual",
      });
      const policy = headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ])
        expect(policy.includes(part), `${path}: ${policy}`);
      expect(!policy.includes("unsafe"), policy);
      expectSame(
        [
          headers.get("x-frame-options"),
          headers.get("x-content-type-options"),
          headers.get("cache-control"),
        ],
        ["DENY", "nosniff", "no-store"],
        path,
      );
    }
  });

  await check("script and style of the first page are sent in under 50 KB", async () => {
    const page = await (await fetch(`${gateway.base}/dashboard`, { headers: { cookie } })).text();
    const files = [...page.matchAll(/\/dashboard\/assets\/[\w.-]+/g)].map(([file]) => file);
    let size = 0;
    for (const file of new Set(files)) size += await sentBytes(gateway.base + file);
    console.log(`        script and style: ${size} bytes as sent`);
    expect(size > 10_000 && size < 50_000, `${size} bytes`);
  });

  await rotation(stage);

  await check("after five wrong tries in five minutes only the right token is let in", async () => {
    const states: number[] = [];
    for (let number = 0; number < 7; number += 1)
      states.push((await post("sign-in", own, "token=wrong")).status);
    expectSame(states, [401, 401, 401, 401, 401, 429, 429], "tries");
    expectSame((await signIn()).answer.status, 303, "the right token");
  });
}

/** How long the body of an answer is on its way to a browser, in the coding that browsers ask for. */
function sentBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { "accept-encoding": "gzip, deflate, br" } }, (response) => {
      let size = 0;
      response.on("data", (piece: Buffer) => (size += piece.byteLength));
      response.on("end", () => resolve(size)).on("error", reject);
    }).on("error", reject);
  });
}

async function rotation(stage: Stage): Promise<void> {
  const { gateway } = stage;
  const first = await stage.signedIn();
  const second = await stage.signedIn();
  const old = gateway.adminToken;
  await check("signing out everywhere ends the other session", async () => {
    await first.page.goto(`${gateway.base}/dashboard/settings`);
    await first.page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await first.page.getByText("All other sessions were signed out.").waitFor();
    await second.page.goto(`${gateway.base}/dashboard`);
    await second.page.getByLabel("Admin token").waitFor();
  });
  await check("a new admin token takes the place of the old one at once", async () => {
    const { page } = first;
    await page.getByRole("link", { name: "Create new admin token…" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    gateway.adminToken = (await page.getByLabel("New admin token").textContent()) ?? "";
    const headers = { authorization: `Bearer ${old}` };
    expectSame(
      (await fetch(`${gateway.base}/api/config`, { headers })).status,
      401,
      "the old token",
    );
    await admin(gateway, "GET /api/config");
    await page.goto(`${gateway.base}/dashboard`);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await second.page.goto(`${gateway.base}/dashboard`);
    await second.page.getByLabel("Admin token").fill(old);
    await second.page.getByRole("button", { name: "Sign in" }).click();
    await second.page.getByText("Wrong admin token.").waitFor();
    await second.page.getByLabel("Admin token").fill(gateway.adminToken);
    await second.page.getByRole("button", { name: "Sign in" }).click();
    await second.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });
  await check("signing out ends the session itself, not only the cookie", async () => {
    const { page, context } = second;
    const cookies = await context.cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin token").waitFor();
    await context.addCookies(cookies);
    await page.goto(`${gateway.base}/dashboard`);
    await page.getByLabel("Admin token").waitFor();
  });
  await check("the key holders' requests go on all the while", async () => {
    const { key } = await admin<{ key: string }>(gateway, "POST /api/harnesses/default/keys");
    expectSame((await sendChat(gateway, key, { model: "lab/small-mini" })).status, 200, "status");
  });
  await first.context.close();
  await second.context.close();
}
