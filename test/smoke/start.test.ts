import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, test } from "vitest";
import { markOf } from "../../scripts/host/state/process.ts";
import { openLane } from "../kit/lane.ts";
import { stream } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import {
  admin,
  connect,
  healthy,
  newKey,
  npmRunBench,
  npmStart,
  scratch,
  type Host,
  type StartOptions,
} from "./host.ts";

interface Stage {
  /** The state folder of one test alone. */
  folder: string;
  /** `npm start` on this folder; ended with the test. */
  start(options?: Partial<StartOptions>): Promise<Host>;
  /** `npm run dev:bench` on this folder; ended with the test. */
  startBench(): Promise<Host>;
}

/** A test on a stage of its own, so that several run at once. */
const it = test.extend<Stage>({
  folder: async ({ onTestFinished }, use) => {
    const { folder, remove } = scratch();
    onTestFinished(remove);
    await use(folder);
  },
  start: async ({ folder, onTestFinished }, use) => {
    await use(async (options = {}) => {
      const host = await npmStart({ state: folder, ...options });
      onTestFinished(async () => void (await host.stop()));
      return host;
    });
  },
  startBench: async ({ folder, onTestFinished }, use) => {
    await use(async () => {
      const host = await npmRunBench(folder);
      onTestFinished(async () => void (await host.stop()));
      return host;
    });
  },
});

interface Lock {
  launcher: { pid: number };
  workerd: { pid: number };
}

function lockIn(folder: string): Lock {
  // Written by the launcher under test.
  return JSON.parse(readFileSync(path.join(folder, "lock.json"), "utf8")) as Lock;
}

/** A process that has ended but that nobody has collected yet does not live. */
function lives(pid: number): boolean {
  return markOf(pid) !== undefined;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

describe.concurrent("npm start", () => {
  it("prints a working key at the first start and never again, and never a token that was set", async ({
    start,
  }) => {
    const first = await start();
    const key = /gw_[A-Za-z0-9_-]{43,}/.exec(first.output())?.[0] ?? "";
    expect(first.output()).not.toContain(first.adminToken);
    expect(first.output()).toMatch(/^Admin token +ADMIN_TOKEN in the environment$/m);
    const list = await fetch(`${first.base}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(list.status).toBe(200);
    await first.stop();

    const second = await start({ adminToken: first.adminToken });
    await healthy(second.base);
    expect(second.output()).not.toContain(first.adminToken);
    expect(second.output()).not.toContain("gw_");
    const again = await fetch(`${second.base}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(again.status).toBe(200);
  });

  it("prints lines that can be pasted: the printed curl command gets an answer", async ({
    start,
  }) => {
    const host = await start();
    const [, url = "", key = "", body = ""] =
      /curl (\S+) -H "Authorization: (.+?)" -H .+ \\\s+-d '(.+)'/.exec(host.output()) ?? [];
    const headers = { authorization: key, "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  });

  it("connects Claude Code by the one line that the first start prints", async ({ start }) => {
    const host = await start();
    const line = /^ {2}(npm run gateway -- connect .*claude)$/m.exec(host.output())?.[1] ?? "";
    const home = mkdtempSync(path.join(os.tmpdir(), "gateway-home-"));
    const env = { ...process.env, HOME: home, ADMIN_TOKEN: host.adminToken };
    const output = execFileSync("sh", ["-c", `${line} --yes`], { env, encoding: "utf8" });
    expect(output).toContain("answered.");
    const settings = readFileSync(path.join(home, ".claude/settings.json"), "utf8");
    expect(settings).toContain(host.base);
    rmSync(home, { recursive: true });
  });

  it("refuses a second start on the same state", async ({ folder, start }) => {
    await start();
    await expect(npmStart({ state: folder })).rejects.toThrow(
      "already in use by a running gateway",
    );
  });

  it("answers an option that it does not know with what there is, and exit code 2", async ({
    folder,
  }) => {
    await expect(npmStart({ state: folder, args: ["--prot", "1"] })).rejects.toThrow(
      /^the host ended with code 2:[^]*--prot[^]*usage: npm start[^]*--port N/,
    );
  });

  it("leads browsers from its address to the dashboard, and tells others what it is", async ({
    start,
  }) => {
    const { base } = await start();
    const open = (accept: string, method = "GET") =>
      fetch(`${base}/`, { method, headers: { accept }, redirect: "manual" });
    const browser = await open("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([browser.status, browser.headers.get("location")]).toEqual([302, "/dashboard"]);
    for (const accept of ["*/*", "application/json", "text/event-stream"]) {
      expect((await open(accept)).status).toBe(200);
      expect((await open(accept, "HEAD")).status).toBe(200);
    }
  });

  it("lets a stream finish on SIGTERM, ends with code 0, and has kept its row", async ({
    start,
  }) => {
    const host = await start();
    const lane = openLane(inject("upstream"));
    const text = "words that take their time";
    await lane.answer(stream(endpoints.chat.events({ text }, "m"), { pace: 300 }));
    await connect(host, {
      id: "slow",
      kind: "custom",
      format: "chat",
      base_url: `${lane.url}/v1`,
      models: [{ id: "m" }],
    });
    const answer = await fetch(`${host.base}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await newKey(host)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({
        model: "slow/m",
        stream: true,
        messages: [{ role: "user", content: "hi" }],
      }),
    });
    const exit = host.stop();
    const body = await answer.text();
    expect(body).toContain("data: [DONE]");
    expect(await exit).toBe(0);
    expect(host.output()).toContain("Stopping: 1 request running (1 stream).");
    expect(host.output().trim().endsWith("Stopped.")).toBe(true);
    const again = await start({ adminToken: host.adminToken });
    const log = await admin<{ data: { stream: boolean; status: number }[] }>(
      again,
      "GET /api/requests",
    );
    expect(log.data).toMatchObject([{ stream: true, status: 200 }]);
  });

  it("ends the workerd that a killed launcher left behind, and starts in its place", async ({
    folder,
    start,
  }) => {
    const killed = await start();
    const before = lockIn(folder);
    process.kill(before.launcher.pid, "SIGKILL");
    await killed.exited;
    expect(lives(before.workerd.pid)).toBe(true);

    const next = await start({ adminToken: killed.adminToken });
    expect(lives(before.workerd.pid)).toBe(false);
    expect(next.output()).toContain(`ended workerd ${before.workerd.pid}`);
    await admin(next, "GET /api/config");
  });

  it("does not touch a process that only has the number of an old workerd", async ({
    folder,
    start,
  }) => {
    const killed = await start();
    const { launcher, workerd } = lockIn(folder);
    process.kill(launcher.pid, "SIGKILL");
    process.kill(workerd.pid, "SIGKILL");
    await killed.exited;
    const stranger = { pid: process.pid, started: "another time" };
    writeFileSync(path.join(folder, "lock.json"), JSON.stringify({ launcher, workerd: stranger }));
    const next = await start();
    expect(next.output()).not.toContain("ended workerd");
  });

  it("starts workerd again when it crashes, on the same port with the same state", async ({
    folder,
    start,
  }) => {
    const host = await start();
    const key = await newKey(host);
    const { workerd } = lockIn(folder);
    process.kill(workerd.pid, "SIGKILL");
    await until(() => lockIn(folder).workerd.pid !== workerd.pid);
    await healthy(host.base);
    const list = await fetch(`${host.base}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(list.status).toBe(200);
  });

  it("shows pages to the first who ask, all at once, also after a crash", async ({
    folder,
    start,
  }) => {
    const host = await start();
    const { workerd } = lockIn(folder);
    process.kill(workerd.pid, "SIGKILL");
    await until(() => lockIn(folder).workerd.pid !== workerd.pid);
    await healthy(host.base);
    const paths = ["/dashboard/sign-in", "/auth/nothing", "/api/status", "/metrics"];
    const asked = Array.from({ length: 10 }, () => paths).flat();
    const statuses = await Promise.all(
      asked.map(async (asking) => (await fetch(host.base + asking)).status),
    );
    expect(statuses).toEqual(Array.from({ length: 10 }, () => [200, 404, 401, 401]).flat());
  });

  it("names the provider keys in the environment, and connects them with --import-env", async ({
    start,
  }) => {
    const environment = { OPENAI_API_KEY: "sk-test", GEMINI_API_KEY: "test" };
    const plain = await start({ environment });
    await until(() => plain.output().includes("--import-env"));
    expect(plain.output()).toContain("OPENAI_API_KEY");
    expect(plain.output()).not.toContain("sk-test");
    await plain.stop();

    const importing = await start({
      adminToken: plain.adminToken,
      environment,
      args: ["--import-env"],
    });
    await until(() => importing.output().includes("Added"));
    const config = await admin<{ providers: unknown[] }>(importing, "GET /api/config");
    expect(config.providers).toContainEqual(
      expect.objectContaining({ id: "openai", kind: "openai", api_key: "***" }),
    );
    expect(config.providers).toContainEqual(
      expect.objectContaining({ id: "gemini", kind: "gemini", api_key: "***" }),
    );
  });

  it("serves with an admin token that was replaced, and says which one it needs and where", async ({
    start,
  }) => {
    const first = await start();
    const old = first.adminToken;
    const key = await newKey(first);
    const made = await admin<{ admin_token: string }>(first, "POST /api/admin-token");
    await first.stop();

    const environment = { OPENAI_API_KEY: "sk-test" };
    const importing = { environment, args: ["--import-env"] };
    const stale = await start({ adminToken: old, ...importing });
    await until(() => stale.output().includes("Not added"));
    expect(stale.output()).toMatch(
      /^Gateway .+\nDashboard .+\nDocs .+\nAdmin token .+ newest one/m,
    );
    expect(stale.output()).toContain("ADMIN_TOKEN in the environment is out of date");
    expect(stale.output()).toContain("OPENAI_API_KEY");
    for (const secret of [old, made.admin_token, "sk-test"])
      expect(stale.output()).not.toContain(secret);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${stale.base}/v1/models`, { headers })).status).toBe(200);
    await admin({ ...stale, adminToken: made.admin_token }, "GET /api/config");
    await stale.stop();

    const told = await start({ adminToken: made.admin_token, ...importing });
    await until(() => told.output().includes("Added: OpenAI"));
    await told.stop();

    const lost = await start({ adminToken: "another-value-of-the-user" });
    await until(() => lost.output().includes("Admin token"));
    expect(lost.output()).not.toContain("newest one");
    await admin(lost, "GET /api/config");
  });

  it("says in words that its port is taken, and leaves no lock behind", async ({ start }) => {
    const first = await start();
    const other = scratch();
    const port = new URL(first.base).port;
    const attempt = npmStart({ state: other.folder, args: ["--port", port] });
    await expect(attempt).rejects.toThrow(`port ${port} is in use`);
    expect(existsSync(path.join(other.folder, "lock.json"))).toBe(false);
    other.remove();
  });

  it("warns when other machines can reach it", async ({ start }) => {
    const host = await start({ args: ["--host", "0.0.0.0"] });
    expect(host.output()).toContain("reachable from other machines");
  });
});

describe.concurrent("npm run dev:bench", () => {
  it("has no rate limits, and throws its state away at every start", async ({ startBench }) => {
    const first = await startBench();
    const headers = { authorization: `Bearer ${await newKey(first)}` };
    const calls = Array.from({ length: 300 }, () => fetch(`${first.base}/v1/models`, { headers }));
    const statuses = (await Promise.all(calls)).map((answer) => answer.status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await first.stop();

    const second = await startBench();
    const again = await fetch(`${second.base}/v1/models`, { headers });
    expect(again.status).toBe(401);
  });
});
