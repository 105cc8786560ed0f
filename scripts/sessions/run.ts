/**
 * `npm run eval:sessions`: what sessions of coding agents cost and how many of their tasks are solved, by who chooses the
 * models. Sessions go through the running gateway; models are scripted; dollars are counted at the provider.
 *   -- --sessions 20 --set one,mixed --policy strong,auto --seed 3 --words tuning --worst 10 --write
 * `--keep FILE` keeps the references' results there and does not play the same sessions again; delete it when the scripts
 * of models or clients change. `--session 17` plays that one alone and tells every request, with the gateway's reason.
 * `--write` renews the table in docs/routing.md. Tune on other words and seeds than those of the table.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { Conversations } from "./conversation.ts";
import { startBenchmarkGateway } from "./gateway.ts";
import { KeptResults } from "./kept-results.ts";
import { modelSets, type ModelSet } from "./model-sets.ts";
import { PausedTime } from "./paused-time.ts";
import { keptPhrases } from "./phrases/kept.ts";
import { tuningPhrases } from "./phrases/tuning.ts";
import { planSession } from "./plan-session.ts";
import { policies, type Policy } from "./policies.ts";
import { startProvider } from "./provider.ts";
import { details, resultTable, worstSessions, type PolicyResult } from "./report.ts";
import { playSession, type SessionResult } from "./session.ts";
import { writeTable } from "./write-table.ts";

const { values: options } = parseArgs({
  options: {
    sessions: { type: "string", default: "100" },
    seed: { type: "string" },
    set: { type: "string", default: Object.keys(modelSets).join(",") },
    policy: { type: "string", default: policies.map(({ id }) => id).join(",") },
    words: { type: "string", default: "kept" },
    worst: { type: "string", default: "0" },
    session: { type: "string" },
    keep: { type: "string" },
    write: { type: "boolean", default: false },
  },
});

const seeds = { kept: 2701, tuning: 1 };
const words = options.words === "tuning" ? "tuning" : "kept";
const phrases = words === "tuning" ? tuningPhrases : keptPhrases;
const seed = Number(options.seed ?? seeds[words]);
const numbers =
  options.session === undefined
    ? Array.from({ length: Number(options.sessions) }, (_, at) => at)
    : [Number(options.session)];
const plans = numbers.map((number) => planSession(seed, number, phrases));
const fingerprint = createHash("md5").update(JSON.stringify(plans)).digest("hex");
const tell = options.session === undefined ? undefined : console.log;
const sideBySide = 6;
const pauseLength = 10 * 60_000;

const chosenPolicies = chosen(options.policy, policies, ({ id }) => id);
const chosenSets = chosen(options.set, Object.entries(modelSets), ([name]) => name);

const kept = new KeptResults(options.keep);
let skipped = 0;
const conversations = new Conversations();
const provider = await startProvider({
  conversations,
  models: Object.values(modelSets).flatMap(({ models }) => models),
  now: () => Date.now() + skipped,
});
const gateway = await startBenchmarkGateway(provider.url);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void gateway.stop().then(() => process.exit(1)));
try {
  const tables: string[] = [];
  for (const [, set] of chosenSets) {
    const results: PolicyResult[] = [];
    for (const policy of chosenPolicies) {
      const began = Date.now();
      const played = `${set.name}, ${policy.id}, ${fingerprint}`;
      const play = (): Promise<SessionResult[]> => playAll(set, policy);
      const sessions = await (policy.routed ? play() : kept.of(played, play));
      results.push({ policy: policy.name, sessions });
      const requests = sessions.reduce((sum, { served }) => sum + served.length, 0);
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      console.error(`${set.name}, ${policy.name}: ${requests} requests in ${seconds} s`);
    }
    const table = resultTable(set, results);
    tables.push(table);
    console.log(`\n${table}\n\n${details(results)}`);
    if (Number(options.worst) > 0)
      console.log(`\n${worstSessions(results, Number(options.worst))}`);
  }
  if (options.write) writeTable(tables.join("\n\n"));
} finally {
  await gateway.stop();
  provider.close();
}

async function playAll(set: ModelSet, policy: Policy): Promise<SessionResult[]> {
  const key = await gateway.addWorkspace(set, policy.quality);
  const time = new PausedTime(sideBySide, async () => {
    skipped += pauseLength;
    await gateway.putAhead(skipped);
  });
  const { base } = gateway;
  return await time.run(
    plans.map(
      (plan) => (pause) =>
        playSession({
          plan,
          policy,
          set,
          base,
          key,
          conversations,
          pause,
          ...(tell !== undefined && { tell }),
        }),
    ),
  );
}

/** Those of a list that an option names. */
function chosen<T>(names: string, list: readonly T[], nameOf: (item: T) => string): T[] {
  const wanted = names.split(",");
  const found = list.filter((item) => wanted.includes(nameOf(item)));
  if (found.length < wanted.length)
    throw new Error(`unknown: ${names}; there are ${list.map(nameOf).join("; ")}`);
  return found;
}
