/** Every SDK in each of its ways: tasks, streams, structured answers, errors and aborts on a provider of each format. */
import path from "node:path";
import { startUpstream } from "../../kit/upstream.ts";
import { npmStart, type Host } from "../../smoke/host.ts";
import { isChosen, type Options } from "../options.ts";
import { judged, type Verdict } from "../verdict.ts";
import { SdkBench, type SdkCase, type SdkTrial } from "./bench.ts";
import { Driver } from "./driver.ts";
import { sdks } from "./index.ts";
import { installSdk } from "./install.ts";
import type { Sdk } from "./sdk.ts";
import { sdkTrials } from "./trials/index.ts";

/** Tries every SDK that the options name. An SDK that npm does not give is one failure, told as such. */
export async function trySdks(options: Options, folder: string): Promise<Verdict[]> {
  const wanted = sdks.filter(({ id }) => isChosen(options.only, id, "sdks"));
  if (wanted.length === 0) return [];
  const benches = new Map<string, SdkBench>();
  const upstream = await startUpstream({
    respond: (request) =>
      benches.get(request.path.split("/")[1] ?? "")?.respond(request) ?? { status: 404 },
  });
  const host = await npmStart({ state: path.join(folder, "state-of-sdks") });
  const verdicts: Verdict[] = [];
  try {
    for (const sdk of wanted)
      verdicts.push(...(await trySdk(sdk, { options, benches, host, upstream: upstream.url })));
    return verdicts;
  } finally {
    await host.stop();
    await upstream.close();
  }
}

interface Around {
  options: Options;
  /** By the first part of the provider's path. */
  benches: Map<string, SdkBench>;
  host: Host;
  upstream: string;
}

async function trySdk(sdk: Sdk, around: Around): Promise<Verdict[]> {
  const { options, benches, host, upstream } = around;
  let driver: Driver | undefined;
  const verdicts = [
    await judged(`${sdk.name} installed`, async () => {
      driver = new Driver(sdk, await installSdk(sdk));
      return [];
    }),
  ];
  if (driver === undefined) return verdicts;
  const waiting = casesOf(sdk, options).map((tried) => new SdkBench(tried, driver as Driver));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      benches.set(next.id, next);
      await next.open(host, upstream);
      for (const trial of trialsOf(next.tried, options)) verdicts.push(await tryOne(next, trial));
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs * 2 }, work));
    return verdicts;
  } finally {
    driver.stop();
  }
}

function casesOf(sdk: Sdk, { formats }: Options): SdkCase[] {
  return Object.entries(sdk.ways).flatMap(([name, way]) =>
    formats.map((format) => ({ sdk, name, way, format })),
  );
}

function trialsOf({ way, format }: SdkCase, { trials, formats }: Options): SdkTrial[] {
  return sdkTrials.filter(
    (trial) =>
      (trials.length === 0 || trials.some((start) => trial.name.startsWith(start))) &&
      way.lacks?.includes(trial.needs) !== true &&
      (trial.once !== true || format === formats[0]) &&
      trial.formats?.includes(format) !== false,
  );
}

async function tryOne(bench: SdkBench, trial: SdkTrial): Promise<Verdict> {
  const { sdk, name, format } = bench.tried;
  return await judged(`${trial.name}  ${sdk.name} (${name}) on ${format}`, () => trial.run(bench));
}
