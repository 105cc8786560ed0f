/** Parts of the browser's test: each has a name, and a gateway that it shares with others or has to itself. */
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { slowest } from "./look.ts";
import { check, finish } from "./report.ts";
import { seed, type Seeded } from "./seed.ts";
import { launchBrowser, openStage, type Stage, type StageOptions } from "./stage.ts";

/** One part: on the shared gateway, seeded or as it was left; or on one of its own, which is empty. */
export type Part = { readonly name: string } & (
  | { readonly on: "shared"; run(stage: Stage): Promise<void> }
  | { readonly on: "seeded"; run(stage: Stage, seeded: Seeded): Promise<void> }
  | { readonly on: "own"; readonly start?: StageOptions["start"]; run(stage: Stage): Promise<void> }
);

/** Runs the parts that the arguments choose; whether all is well. */
export async function runParts(parts: readonly Part[], args: readonly string[]): Promise<boolean> {
  const chosen = chosenParts(parts, args);
  if (chosen === undefined) return false;
  const browser = await launchBrowser();
  const shared = sharedStage(browser);
  try {
    for (const part of chosen) await runPart({ part, browser, shared });
    if (slowest > 0)
      console.log(`        slowest page, interactive after ${Math.round(slowest)} ms`);
  } finally {
    await shared.close();
    await browser.close();
  }
  return finish();
}

/** All without `--only`; none, and the list of names, where one is unknown. */
function chosenParts(parts: readonly Part[], args: readonly string[]): readonly Part[] | undefined {
  const { values } = parseArgs({ args: [...args], options: { only: { type: "string" } } });
  if (values.only === undefined) return parts;
  const wanted = values.only.split(",").map((name) => name.trim());
  const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length === 0) return parts.filter(({ name }) => wanted.includes(name));
  console.error(`There is no part ${unknown.join(", ")}. The parts:`);
  for (const { name, on } of parts)
    console.error(`  ${name}${on === "seeded" ? " (needs the seed, which is made first)" : ""}`);
  return undefined;
}

interface Running {
  readonly part: Part;
  readonly browser: Browser;
  readonly shared: SharedStage;
}

async function runPart({ part, browser, shared }: Running): Promise<void> {
  const began = Date.now();
  // What ends a part early is a failure of that part; the others still run.
  const run = async (): Promise<void> => {
    if (part.on === "seeded") return await part.run(...(await shared.seeded()));
    if (part.on === "shared") return await part.run(await shared.open());
    const stage = await openStage({ browser, start: part.start });
    try {
      await part.run(stage);
    } finally {
      await stage.close();
    }
  };
  await check(part.name, run);
  console.log(`        ${part.name} took ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

interface SharedStage {
  open(): Promise<Stage>;
  seeded(): Promise<[Stage, Seeded]>;
  close(): Promise<void>;
}

/** Opened, and seeded, when the first part asks for it. */
function sharedStage(browser: Browser): SharedStage {
  let stage: Promise<Stage> | undefined;
  let seeded: Promise<Seeded> | undefined;
  const open = (): Promise<Stage> => (stage ??= openStage({ browser }));
  return {
    open,
    async seeded() {
      const opened = await open();
      return [opened, await (seeded ??= seed(opened))];
    },
    async close() {
      await (await stage)?.close();
    },
  };
}
