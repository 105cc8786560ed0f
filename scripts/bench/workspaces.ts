/**
 * `npm run bench:workspaces`: CPU per request of one machine with a thousand workspaces, beside a hundred. The same
 * gateway and the same number of requests; rounds of both take turns.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const few = 100;
const many = Number(process.argv[2] ?? 1000);
const rounds = Number(process.argv[3] ?? 5);
/** Of a round; as many for every workspace of the larger set. */
const calls = 2 * many;
const parallel = 8;
const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"]).toString());
const token = randomBytes(16).toString("hex");

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-workspaces-"));
  const provider = await startProvider();
  const gateway = await startGateway(folder);
  try {
    const keys = await makeWorkspaces(gateway.base, provider.url);
    await compare(gateway, keys);
  } finally {
    const ended = new Promise((resolve) => gateway.child.once("exit", resolve));
    gateway.child.kill("SIGTERM");
    await ended;
    provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Gateway {
  base: string;
  child: ChildProcess;
}

async function compare(gateway: Gateway, keys: readonly string[]): Promise<void> {
  const sets = { few: keys.slice(0, few), many: keys } as const;
  const costs = { few: [] as number[], many: [] as number[] };
  // Every object is in memory when counting begins.
  await load(gateway.base, sets.many);
  for (let round = 0; round < rounds; round += 1)
    for (const name of ["few", "many"] as const)
      costs[name].push(await costOf(gateway, sets[name]));
  const [first, second] = [median(costs.few), median(costs.many)];
  console.log(`${rounds} rounds of ${calls} requests, medians of CPU per request:`);
  console.log(
    `  ${few} workspaces ${first.toFixed(0)} µs, ${many} workspaces ${second.toFixed(0)} µs`,
  );
  console.log(`  ratio ${(second / first).toFixed(2)}`);
}

/** Microseconds of CPU per request. */
async function costOf(gateway: Gateway, keys: readonly string[]): Promise<number> {
  const before = cpuOf(gateway.child);
  await load(gateway.base, keys);
  // Batches are written half a second later.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return ((cpuOf(gateway.child) - before) * 1e6) / calls;
}

async function load(base: string, keys: readonly string[]): Promise<void> {
  let sent = 0;
  const one = async (): Promise<void> => {
    while (sent < calls) {
      const key = keys[sent % keys.length] ?? "";
      sent += 1;
      await ask(base, key);
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
}

async function ask(base: string, key: string): Promise<void> {
  const answer = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "p/m", messages: [{ role: "user", content: "x".repeat(900) }] }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
}

/** A key of each. */
async function makeWorkspaces(base: string, providerUrl: string): Promise<string[]> {
  const entry = { id: "p", kind: "custom", format: "chat", base_url: providerUrl };
  const models = [{ id: "m", cost: { input: 1, output: 1 } }];
  const document = { providers: [{ ...entry, models }], harnesses: [{ id: "h", name: "H" }] };
  const keys: string[] = [];
  for (let made = 0; made < many; made += 1) {
    const { admin_token: own } = await admin({ base, bearer: token }, "POST /api/workspaces", {
      name: "bench",
    });
    const access = { base, bearer: own ?? "" };
    await admin(access, "PUT /api/config", document);
    keys.push((await admin(access, "POST /api/harnesses/h/keys", {}))["key"] ?? "");
  }
  return keys;
}

async function admin(
  { base, bearer }: { base: string; bearer: string },
  call: string,
  body: unknown,
): Promise<Record<string, string>> {
  const [method = "", route = ""] = call.split(" ");
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const answer = await fetch(base + route, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
  // Of these calls only texts are read.
  return (await answer.json()) as Record<string, string>;
}

/** A provider that answers at once. */
async function startProvider(): Promise<{ url: string; close: () => void }> {
  const message = { role: "assistant", content: "y".repeat(700) };
  const usage = { prompt_tokens: 200, completion_tokens: 150, total_tokens: 350 };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const answer = JSON.stringify({ id: "x", object: "chat.completion", model: "m", choices, usage });
  const server = http.createServer((request, response) => {
    request.resume();
    const headers = { "content-type": "application/json" };
    request.once("end", () => response.writeHead(200, headers).end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

/** The gateway without limits of requests: a thousand workspaces on one address would meet that of the address. */
async function startGateway(folder: string): Promise<Gateway> {
  const args = ["scripts/run.mjs", "scripts/start.ts", "--bench", "--port", "0", "--state", folder];
  const secrets = { ADMIN_TOKEN: token, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...secrets },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const base = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.once("exit", (code) => reject(new Error(`the gateway ended with code ${code}`)));
    child.stdout.on("data", (part: Buffer) => {
      printed += part.toString();
      const found = /^ready on (\S+)/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { base, child };
}

/** Seconds of CPU of the process and its children. */
function cpuOf({ pid = 0 }: Pick<ChildProcess, "pid">): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const below = children === "" ? [] : children.split(" ").map(Number);
  // After the name in brackets: state, and from there the 12th and 13th are user and system time.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const own = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  return below.reduce((sum, child) => sum + cpuOf({ pid: child }), own);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

await main();
