/**
 * `npm run test:clients [-- <scenario> <format>]`: Claude Code and Codex do real work through the gateway, on a
 * scripted provider of each of the four formats.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { slowProxy } from "../../scripts/bench/slow-proxy.ts";
import { startUpstream } from "../kit/upstream.ts";
import { versions } from "../kit/wire/index.ts";
import type { WireFormat } from "../kit/wire/said.ts";
import { admin, newKey, npmStart, scratch, type Host } from "../smoke/host.ts";
import { agentFor, type Agent } from "./agent.ts";
import { installClients, runClient } from "./cli.ts";
import { checkFiles, layFiles, scenarios, type Scenario } from "./tasks.ts";

// The client's own format comes first: what fails there is no fault of translation.
const formats: WireFormat[] = ["messages", "responses", "chat", "gemini"];
interface Pair {
  name: string;
  scenario: Scenario;
  format: WireFormat;
}

const agents = new Map<string, Agent>();
const [onlyName, onlyFormat] = process.argv.slice(2);
const pairs = Object.entries(scenarios)
  .flatMap(([name, scenario]) => formats.map((format) => ({ name, scenario, format })))
  .filter(({ name, format }) => name === (onlyName ?? name) && format === (onlyFormat ?? format));

const space = scratch();
const bin = await installClients(path.resolve(".clients"));
const upstream = await startUpstream({
  respond(request) {
    const [, name = "", format = ""] = request.path.split("/");
    const agent = agents.get(name);
    // The paths are those of `configure`.
    return agent?.respond(request, format as WireFormat) ?? { status: 404 };
  },
});
const gateway = await npmStart({ state: path.join(space.folder, "state") });
let failed = 0;
try {
  await configure(gateway);
  const key = await newKey(gateway);
  for (const pair of pairs) failed += await tryPair(pair, key);
} finally {
  await gateway.stop();
  await upstream.close();
  space.remove();
}
console.log(
  failed === 0
    ? `all ${pairs.length} combinations passed`
    : `${failed} of ${pairs.length} combinations FAILED`,
);
process.exit(failed === 0 ? 0 : 1);

function nameOf({ name, format }: Pair): string {
  return `${name}-${format}`;
}

/** One provider a pair, so that every request says whose it is. */
async function configure(host: Host): Promise<void> {
  const providers = pairs.map((pair) => ({
    id: nameOf(pair),
    kind: "custom",
    format: pair.format,
    base_url: `${upstream.url}/${nameOf(pair)}/${pair.format}/${versions[pair.format]}`,
    api_key: "sk-test",
    models: [{ id: pair.scenario.model, context_window: 1_000_000, max_output: 128_000 }],
  }));
  await admin(host, "PUT /api/config", {
    providers,
    harnesses: [{ id: "clients", name: "Clients" }],
  });
}

async function tryPair(pair: Pair, key: string): Promise<number> {
  const folder = path.join(space.folder, nameOf(pair));
  const work = path.join(folder, "work");
  const home = path.join(folder, "home");
  for (const needed of [work, home]) mkdirSync(needed, { recursive: true });
  layFiles(work);
  const { client, model, task, socket } = pair.scenario;
  const line = await slowProxy({ port: Number(new URL(gateway.base).port), delay: 0 });
  const agent = agentFor(task(work));
  agents.set(nameOf(pair), agent);
  const since = Date.now();
  const run = {
    client,
    bin,
    work,
    home,
    gateway: `http://127.0.0.1:${line.port}`,
    key,
    model: `${nameOf(pair)}/${model}`,
    ...(socket === true && { socket }),
  };
  const problems = [...(await runClient(run)), ...checkFiles(work), ...agent.problems];
  const { upgrades, connections } = line.counts;
  await line.close();
  if (upgrades !== (socket === true ? 1 : 0)) problems.push(`${upgrades} WebSockets were opened`);
  if (socket === true) console.log(`        ${connections} connections`);
  if (!agent.finished()) problems.push("the task was not brought to its end");
  const seconds = ((Date.now() - since) / 1000).toFixed(1);
  const verdict = problems.length === 0 ? "passed" : "FAILED";
  console.log(`${verdict}  ${pair.name} on ${pair.format}  ${agent.turns()} turns  ${seconds} s`);
  for (const problem of new Set(problems)) console.log(`        ${problem}`);
  return problems.length === 0 ? 0 : 1;
}
