/** Claude Code and Codex on a provider of each format, each on the tasks of its own tools. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { slowProxy } from "../../scripts/bench/slow-proxy.ts";
import { startUpstream } from "../kit/upstream.ts";
import { versions } from "../kit/wire/index.ts";
import type { WireFormat } from "../kit/wire/said.ts";
import { admin, newKey, npmStart, type Host } from "../smoke/host.ts";
import { agentFor, type Agent } from "./agent.ts";
import { installClients, runClient } from "./cli.ts";
import { isChosen, type Options } from "./options.ts";
import { checkFiles, layFiles, scenarios, type Scenario } from "./tasks.ts";
import { judged, type Verdict } from "./verdict.ts";

interface Pair {
  name: string;
  scenario: Scenario;
  format: WireFormat;
}

interface Place {
  host: Host;
  key: string;
  bin: string;
  folder: string;
  agents: Map<string, Agent>;
}

/** Tries every scenario that the options name, in a gateway of their own. */
export async function tryScenarios(options: Options, folder: string): Promise<Verdict[]> {
  const pairs = pairsOf(options);
  if (pairs.length === 0) return [];
  const bin = await installClients(path.resolve(".clients"));
  const agents = new Map<string, Agent>();
  const upstream = await startUpstream({
    respond(request) {
      const [, name = "", format = ""] = request.path.split("/");
      // The paths are those of `configure`.
      return agents.get(name)?.respond(request, format as WireFormat) ?? { status: 404 };
    },
  });
  const host = await npmStart({ state: path.join(folder, "state") });
  try {
    await configure(host, pairs, upstream.url);
    const place = { host, key: await newKey(host), bin, folder, agents };
    const verdicts: Verdict[] = [];
    for (const pair of pairs) verdicts.push(await tryPair(pair, place));
    return verdicts;
  } finally {
    await host.stop();
    await upstream.close();
  }
}

function pairsOf({ only, formats }: Options): Pair[] {
  return Object.entries(scenarios)
    .filter(([name]) => isChosen(only, name, "scenarios"))
    .flatMap(([name, scenario]) => formats.map((format) => ({ name, scenario, format })));
}

function nameOf({ name, format }: Pair): string {
  return `${name}-${format}`;
}

/** One provider a pair, so that every request says whose it is. */
async function configure(host: Host, pairs: Pair[], upstream: string): Promise<void> {
  const providers = pairs.map((pair) => ({
    id: nameOf(pair),
    kind: "custom",
    format: pair.format,
    base_url: `${upstream}/${nameOf(pair)}/${pair.format}/${versions[pair.format]}`,
    api_key: "sk-test",
    models: [{ id: pair.scenario.model, context_window: 1_000_000, max_output: 128_000 }],
  }));
  const harnesses = [{ id: "clients", name: "Clients" }];
  await admin(host, "PUT /api/config", { providers, harnesses });
}

async function tryPair(pair: Pair, place: Place): Promise<Verdict> {
  const { host, key, bin, agents } = place;
  const folder = path.join(place.folder, nameOf(pair));
  const work = path.join(folder, "work");
  const home = path.join(folder, "home");
  for (const needed of [work, home]) mkdirSync(needed, { recursive: true });
  layFiles(work);
  const { client, model, task, socket } = pair.scenario;
  const agent = agentFor(task(work));
  agents.set(nameOf(pair), agent);
  return await judged(`${pair.name} on ${pair.format}`, async () => {
    const line = await slowProxy({ port: Number(new URL(host.base).port), delay: 0 });
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
    const { upgrades } = line.counts;
    await line.close();
    if (upgrades !== (socket === true ? 1 : 0)) problems.push(`${upgrades} WebSockets were opened`);
    if (!agent.finished()) problems.push("the task was not brought to its end");
    return problems;
  });
}
