/** Every other program: a task, a stream, errors and an abort on a provider of each format. */
import path from "node:path";
import { startUpstream } from "../kit/upstream.ts";
import type { WireFormat } from "../kit/wire/said.ts";
import { npmStart } from "../smoke/host.ts";
import { isChosen, type Options } from "./options.ts";
import { programs } from "./programs/index.ts";
import { installProgram } from "./programs/install.ts";
import type { Program } from "./programs/program.ts";
import { Bench, type BenchPlace, type ProviderSide } from "./trials/bench.ts";
import { trials } from "./trials/index.ts";
import type { Trial } from "./trials/trial.ts";
import { judged, type Verdict } from "./verdict.ts";

interface Case {
  program: Program;
  speaks: WireFormat;
  format: WireFormat;
  trial: Trial;
}

/** Tries every program that the options name. A program that npm does not give is one failure, told as such. */
export async function tryPrograms(options: Options, folder: string): Promise<Verdict[]> {
  const wanted = programs.filter(({ id }) => isChosen(options.only, id, "programs"));
  if (wanted.length === 0) return [];
  const verdicts: Verdict[] = [];
  const bins = new Map<string, string>();
  for (const program of wanted)
    verdicts.push(
      await judged(`${program.name} installed`, async () => {
        bins.set(program.id, await installProgram(folderOf(program), program));
        return [];
      }),
    );
  const cases = casesOf(wanted, options).filter(({ program }) => bins.has(program.id));
  return [...verdicts, ...(await tryCases(cases, { bins, folder, jobs: options.jobs }))];
}

function folderOf({ id }: Program): string {
  return path.resolve(".clients", "programs", id);
}

function casesOf(wanted: readonly Program[], options: Options): Case[] {
  const chosen = trials.filter(
    ({ name }) =>
      options.trials.length === 0 || options.trials.some((start) => name.startsWith(start)),
  );
  return wanted.flatMap((program) =>
    (options.everyWay ? program.speaks : [program.speaks[0]]).flatMap((speaks) =>
      chosen.flatMap((trial) =>
        (trial.once === true ? options.formats.slice(0, 1) : options.formats).map((format) => ({
          program,
          speaks,
          format,
          trial,
        })),
      ),
    ),
  );
}

async function tryCases(
  cases: readonly Case[],
  { bins, folder, jobs }: { bins: Map<string, string>; folder: string; jobs: number },
): Promise<Verdict[]> {
  const sides = new Map<string, ProviderSide>();
  const upstream = await startUpstream({
    respond(request) {
      const side = sides.get(request.path.split("/")[1] ?? "");
      side?.received.push(request);
      return side?.respond(request) ?? { status: 404 };
    },
  });
  const host = await npmStart({ state: path.join(folder, "state-of-programs") });
  const verdicts: Verdict[] = [];
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const place = { host, upstream: upstream.url, folder, bin: bins.get(next.program.id) ?? "" };
      verdicts.push(await tryCase(next, place, sides));
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
    return verdicts;
  } finally {
    await host.stop();
    await upstream.close();
  }
}

async function tryCase(
  { program, speaks, format, trial }: Case,
  place: BenchPlace,
  sides: Map<string, ProviderSide>,
): Promise<Verdict> {
  const bench = new Bench({ program, speaks, format, trial: trial.name }, place);
  sides.set(bench.id, bench.provider);
  const name = `${trial.name}  ${program.name} (${speaks}) on ${format}`;
  return await judged(name, async () => {
    await bench.open();
    return await trial.run(bench);
  });
}
