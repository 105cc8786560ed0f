/**
 * `npm run bench:scale [-- requests]`: what docs/scale.md is made from. CPU time of the whole process by request, for
 * one workspace and for many, and what requests and workspaces leave in memory and on the disk.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { adminOf } from "../host/running/admin.ts";
import { processCpu } from "./process-cpu.ts";

const requests = Number(process.argv[2] ?? 2000);
const parallel = 8;
const adminToken = randomBytes(16).toString("hex");

interface Gateway {
  base: string;
  child: ChildProcess;
  /** The folder of its state. */
  folder: string;
  /** Of workerd. */
  pid: number;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-scale-"));
  const provider = await startProvider();
  const gateway = await startGateway(folder);
  try {
    await measure(gateway, provider.url);
  } finally {
    gateway.child.kill("SIGTERM");
    await new Promise((resolve) => gateway.child.once("exit", resolve));
    provider.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(gateway: Gateway, provider: string): Promise<void> {
  const keys = [await newWorkspace(gateway, provider)];
  await cpuOf(gateway, keys, { stream: false });
  const stored = bytesOf(gateway);
  say("one workspace, whole answers", await cpuOf(gateway, keys, { stream: false }));
  await settled();
  console.log(`  stored: ${Math.round((bytesOf(gateway) - stored) / requests)} bytes a request`);
  say("one workspace, streams of 100 events", await cpuOf(gateway, keys, { stream: true }));
  for (const count of [100, 1000]) {
    const before = { memory: memoryOf(gateway), bytes: bytesOf(gateway), keys: keys.length };
    while (keys.length < count) keys.push(await newWorkspace(gateway, provider));
    await cpuOf(gateway, keys, { stream: false });
    await settled();
    const made = count - before.keys;
    const kilobytes = (memoryOf(gateway) - before.memory) / made;
    const bytes = Math.round((bytesOf(gateway) - before.bytes) / made);
    say(`${count} workspaces, whole answers`, await cpuOf(gateway, keys, { stream: false }));
    console.log(`  a workspace more: ${Math.round(kilobytes)} KB of memory, ${bytes} bytes stored`);
  }
}

/** So long until what requests left is written, and the last batch with it. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3000));
}

function say(name: string, microseconds: number): void {
  console.log(`${name}: ${Math.round(microseconds)} µs of CPU a request`);
}

/** CPU microseconds a request, the keys taking turns. */
async function cpuOf(
  gateway: Gateway,
  keys: readonly string[],
  { stream }: { stream: boolean },
): Promise<number> {
  const content = "x".repeat(900);
  const body = JSON.stringify({ model: "p/m", stream, messages: [{ role: "user", content }] });
  const count = Math.max(requests, keys.length);
  let sent = 0;
  const before = processCpu(gateway.pid);
  const caller = async (): Promise<void> => {
    while (sent < count) {
      const key = keys[sent % keys.length] ?? "";
      sent += 1;
      const answer = await fetch(`${gateway.base}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  return (processCpu(gateway.pid) - before) / count;
}

/** Resident memory of workerd, KB. */
function memoryOf({ pid }: Gateway): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** Of the workspaces' databases, with what is not yet moved into them. */
function bytesOf({ folder }: Gateway): number {
  const objects = path.join(folder, "objects", "gateway-WorkspaceObject");
  const files = readdirSync(objects).filter((file) => !file.startsWith("metadata"));
  return files.reduce((sum, file) => sum + statSync(path.join(objects, file)).size, 0);
}

async function newWorkspace(gateway: Gateway, provider: string): Promise<string> {
  const root = adminOf(gateway.base, adminToken);
  // The admin API's own answers.
  const made = (await root.post("/api/workspaces", { name: "bench" })) as { admin_token: string };
  const own = adminOf(gateway.base, made.admin_token);
  await own.put("/api/config", {
    providers: [
      { id: "p", kind: "custom", format: "chat", base_url: provider, models: [{ id: "m" }] },
    ],
    harnesses: [{ id: "h", name: "H" }],
  });
  const { key } = (await own.post("/api/harnesses/h/keys", {})) as { key: string };
  return key;
}

/** A provider that answers at once. */
async function startProvider(): Promise<{ server: Server; url: string }> {
  const usage = { prompt_tokens: 300, completion_tokens: 200, total_tokens: 500 };
  const head = { id: "x", object: "chat.completion", created: 1, model: "m" };
  const message = { role: "assistant", content: "y".repeat(700) };
  const whole = JSON.stringify({
    ...head,
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage,
  });
  const event = (choice: object, more: object = {}): string =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`;
  const words = Array.from({ length: 99 }, () => event({ delta: { content: "word " } }));
  const end = event({ delta: {}, finish_reason: "stop" }, { usage });
  const streamed = `${words.join("")}${end}data: [DONE]\n\n`;
  const server = createServer((request, answer) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const stream = body.includes('"stream":true');
      answer.setHeader("content-type", stream ? "text/event-stream" : "application/json");
      answer.end(stream ? streamed : whole);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A listening TCP server has such an address.
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

/** `npm run dev:bench`: the gateway with its limits compiled out. */
async function startGateway(state: string): Promise<Gateway> {
  const args = ["scripts/run.mjs", "scripts/start.ts", "--bench", "--port", "0", "--state", state];
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const base = await new Promise<string>((resolve, reject) => {
    let told = "";
    child.stdout.on("data", (part: Buffer) => {
      told += part.toString();
      const found = /^ready on (\S+)/m.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the gateway ended with code ${code}`)));
  });
  const folder = path.join(state, "bench");
  const lock: unknown = JSON.parse(readFileSync(path.join(folder, "lock.json"), "utf8"));
  // The launcher's own note.
  const { pid } = (lock as { workerd: { pid: number } }).workerd;
  return { base, child, folder, pid };
}

await main();
