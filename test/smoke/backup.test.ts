/** A backup of one machine, brought back on another: by the commands, with gateways as users run them. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { openLane, replyScript, secret, type Json } from "../kit/asking.ts";
import { sendRequest } from "./gateway.ts";
import { admin, connect, newKey, npmStart, scratch, type Host } from "./host.ts";

const passphrase = "correct horse bättery";

interface Stage {
  folder: string;
  /** A machine of its own: another folder, with other secrets unless it is started again. */
  start(name: string): Promise<Host>;
}

const it = test.extend<Stage>({
  folder: async ({ onTestFinished }, use) => {
    const { folder, remove } = scratch();
    onTestFinished(remove);
    await use(folder);
  },
  start: async ({ folder, onTestFinished }, use) => {
    await use(async (name) => {
      const state = path.join(folder, name);
      const host = await npmStart({ state, ...own(name), environment: own(name).environment });
      onTestFinished(async () => void (await host.stop()));
      return host;
    });
  },
});

const machines = new Map<string, { adminToken: string; environment: Record<string, string> }>();

function own(name: string) {
  const known = machines.get(name) ?? {
    adminToken: randomBytes(16).toString("hex"),
    environment: { ENCRYPTION_KEY: randomBytes(32).toString("base64") },
  };
  machines.set(name, known);
  return known;
}

interface Run {
  code: number | null;
  output: string;
}

/** `npm run <args>`; a machine's secrets are in its environment. */
function npmRun(args: string[], environment: Record<string, string> = {}): Promise<Run> {
  const { MODE: _, ...inherited } = process.env;
  const child = spawn("npm", ["run", "--silent", ...args], {
    env: { ...inherited, GATEWAY_PASSPHRASE: passphrase, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (output += part.toString()));
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve({ code, output }));
  });
}

function secretsOf(name: string): Record<string, string> {
  const { adminToken, environment } = own(name);
  return { ADMIN_TOKEN: adminToken, ...environment };
}

async function ask(host: Host, key: string): Promise<Response> {
  return await sendRequest(host, "/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "lab/m", messages: [{ role: "user", content: "hello" }] }),
  });
}

/** A gateway with a provider, a harness with a limit of two requests a day, and one request behind it. */
async function used(host: Host) {
  const lane = openLane(inject("upstream"));
  await lane.answer(replyScript("chat", { text: "an answer" }, { stream: false }));
  await connect(host, {
    id: "lab",
    kind: "custom",
    format: "chat",
    base_url: `${lane.url}/v1`,
    api_key: secret,
    models: [{ id: "m", cost: { input: 1, output: 1 } }],
  });
  const key = await newKey(host);
  const config = await admin<{ harnesses: Json[] }>(host, "GET /api/config");
  const limits = [{ metric: "requests", period: "month", max: 2, action: "block" }];
  const harnesses = config.harnesses.map((one) => ({ ...one, limits }));
  await admin(host, "PUT /api/config", { ...config, harnesses });
  expect((await ask(host, key)).status).toBe(200);
  return { lane, key };
}

interface Rows {
  data: { id: string; harness: string; key?: string; status: number }[];
}

async function requestsOf(host: Host): Promise<string[]> {
  const { data } = await admin<Rows>(host, "GET /api/requests?limit=100");
  return data.map(({ id }) => id);
}

const restoredState = async (host: Host) => ({
  keys: (await admin<{ data: unknown[] }>(host, "GET /api/harnesses/default/keys")).data.length,
  requests: await requestsOf(host),
  generation: (await admin<{ data: { n: number }[] }>(host, "GET /api/history")).data[0]?.n,
});

describe("a backup", () => {
  it("brings a gateway to another machine: keys, credentials, log, usage and limits", async ({
    folder,
    start,
  }) => {
    const first = await start("first");
    const { lane, key } = await used(first);
    const [made] = await requestsOf(first);
    const file = path.join(folder, "gateway.backup");
    const state = path.join(folder, "first");
    const backup = await npmRun(["backup", file, "--", "--state", state], secretsOf("first"));
    expect(backup, backup.output).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes(secret)).toBe(false);
    const again = await npmRun(["backup", "--", file, "--state", state], secretsOf("first"));
    expect(again.output).toContain("--force");
    const passphraseFile = path.join(folder, "passphrase");
    writeFileSync(passphraseFile, `${passphrase}\n`);
    const scheduled = await npmRun(
      ["backup", "--", file, "--state", state, "--force", "--passphrase-file", passphraseFile],
      { ...secretsOf("first"), GATEWAY_PASSPHRASE: "" },
    );
    expect(scheduled, scheduled.output).toMatchObject({ code: 0 });
    await first.stop();

    // Neither folder nor gateway is there yet.
    const target = path.join(folder, "second");
    const restored = await npmRun(["restore", file, "--", "--state", target], secretsOf("second"));
    expect(restored, restored.output).toMatchObject({ code: 0 });
    const second = await start("second");
    expect(await requestsOf(second)).toEqual([made]);
    expect((await ask(second, key)).status).toBe(200);
    expect((await lane.received()).at(-1)?.headers["authorization"]).toBe(`Bearer ${secret}`);
    // The limit goes on from what was used on the other machine.
    expect(await (await ask(second, key)).text()).toContain("2 used of 2 this month");
    const usage = await admin<{ data: { requests: number }[] }>(
      second,
      "GET /api/usage?by=day&group=model&from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z",
    );
    expect(usage.data.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(2);
  });

  it("replaces nothing unless it is whole, and opens with its passphrase alone", async ({
    folder,
    start,
  }) => {
    const host = await start("third");
    await used(host);
    const file = path.join(folder, "gateway.backup");
    const state = path.join(folder, "third");
    const backup = await npmRun(["backup", file, "--", "--state", state], secretsOf("third"));
    expect(backup, backup.output).toMatchObject({ code: 0 });
    await newKey(host);
    const before = await restoredState(host);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.cut`, bytes.subarray(0, -20));
    const cut = await npmRun(
      ["restore", `${file}.cut`, "--", "--state", state],
      secretsOf("third"),
    );
    expect(cut).toMatchObject({ code: 1 });
    expect(cut.output).toContain("cut off");
    const asked = await post(host, bytes.subarray(0, -20), { passphrase });
    expect(asked).toMatchObject({ status: 400 });
    const wrong = await post(host, bytes, { passphrase: "another passphrase" });
    expect(wrong.text).toContain("passphrase: is wrong for this backup");
    expect(await restoredState(host)).toEqual(before);
  });

  it("leaves the state of before where the gateway is killed in the middle of a restore", async ({
    folder,
    start,
  }) => {
    const host = await start("fourth");
    const { key } = await used(host);
    const bytes = await longBackup(host);
    await newKey(host);
    const before = await restoredState(host);
    // All but its last bytes: nearly every row is staged by then.
    const half = sendSlowly(host, bytes.subarray(0, -10));
    await expect.poll(() => stagedIn(path.join(folder, "fourth")), { timeout: 20_000 }).toBe(true);
    const lock = readLock(path.join(folder, "fourth"));
    process.kill(lock.launcher.pid, "SIGKILL");
    process.kill(lock.workerd.pid, "SIGKILL");
    half.destroy();
    await host.exited;
    const next = await start("fourth");
    expect(await restoredState(next)).toEqual(before);
    expect((await ask(next, key)).status).toBe(200);
    const done = await post(next, bytes, { passphrase });
    expect(done.status, done.text).toBe(200);
    expect((await restoredState(next)).keys).toBe(before.keys - 1);
  });

  it("is refused while another restore is under way, and goes on beside requests", async ({
    start,
  }) => {
    const host = await start("fifth");
    const { key } = await used(host);
    const bytes = await longBackup(host);
    const slow = sendSlowly(host, bytes.subarray(0, -10));
    await expect
      .poll(async () => (await post(host, bytes.subarray(0, -11), { passphrase })).status, {
        timeout: 20_000,
      })
      .toBe(409);
    slow.destroy();
    await expect
      .poll(async () => (await post(host, bytes, { passphrase })).status, { timeout: 20_000 })
      .toBe(200);
    expect((await ask(host, key)).status).toBe(200);
  });

  it("that was made by this version is read by every later one", async ({ folder, start }) => {
    const host = await start("sixth");
    const kept = readFileSync("test/smoke/backup-of-0.2.0.backup");
    const file = path.join(folder, "kept.backup");
    writeFileSync(file, kept);
    const state = path.join(folder, "sixth");
    const restored = await npmRun(["restore", file, "--", "--state", state], {
      ...secretsOf("sixth"),
      GATEWAY_PASSPHRASE: "a kept backup",
    });
    expect(restored, restored.output).toMatchObject({ code: 0 });
    expect((await requestsOf(host)).length).toBe(3);
    const { data } = await admin<{ data: { action: string }[] }>(host, "GET /api/audit?limit=5");
    expect(data.map(({ action }) => action)).toContain("backup.restored");
  });
});

/** Of several chunks: what cannot be compressed is in the document. */
async function longBackup(host: Host): Promise<Uint8Array> {
  const config = await admin<{ harnesses: Json[] }>(host, "GET /api/config");
  const note = randomBytes(200_000).toString("base64");
  const harnesses = config.harnesses.map((one) => ({
    ...one,
    model_params: { "lab/none": { note } },
  }));
  await admin(host, "PUT /api/config", { ...config, harnesses });
  const body = JSON.stringify({ passphrase });
  return new Uint8Array(await (await send(host, { route: "/api/backup", body })).arrayBuffer());
}

interface Sent {
  route: string;
  body: string | Uint8Array;
  headers?: Record<string, string>;
}

function send(host: Host, { route, body, headers }: Sent) {
  return fetch(host.base + route, {
    method: "POST",
    headers: { authorization: `Bearer ${host.adminToken}`, ...headers },
    body,
  });
}

async function post(host: Host, file: Uint8Array, given: { passphrase: string }) {
  const header = `UTF-8''${encodeURIComponent(given.passphrase)}`;
  const headers = { "x-gateway-passphrase": header };
  const answer = await send(host, { route: "/api/restore", body: file, headers });
  return { status: answer.status, text: await answer.text() };
}

/** Sends the bytes and says that more will come. */
function sendSlowly(host: Host, bytes: Uint8Array): http.ClientRequest {
  const sending = http.request(`${host.base}/api/restore`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${host.adminToken}`,
      "x-gateway-passphrase": `UTF-8''${encodeURIComponent(passphrase)}`,
      "content-length": bytes.length + 10,
    },
  });
  sending.on("error", () => undefined);
  sending.write(bytes);
  return sending;
}

/** Whether a workspace's files hold staged tables. */
function stagedIn(state: string): boolean {
  const folder = path.join(state, "objects");
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.includes(".sqlite"),
      )
    : [];
  return files.some((name) => readFileSync(path.join(folder, name)).includes("staged_requests"));
}

interface Lock {
  launcher: { pid: number };
  workerd: { pid: number };
}

function readLock(state: string): Lock {
  // Written by the launcher under test.
  return JSON.parse(readFileSync(path.join(state, "lock.json"), "utf8")) as Lock;
}
