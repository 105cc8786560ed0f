/** `--only guides`: what the guides tell their readers to type, typed: files written, lines run, programs started. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { blocksOf, type Block } from "../../docs/blocks.ts";
import { filledIn, runProgramOn, runShell, type Ran, type Reader } from "../../docs/running.ts";
import { keyOf } from "../../smoke/gateway.ts";
import { admin, npmStart, type Host } from "../../smoke/host.ts";
import { isChosen, type Options } from "../options.ts";
import { installProgram } from "../programs/install.ts";
import { judged, type Verdict } from "../verdict.ts";
import type { Guide, GuideProgram } from "./guide.ts";
import { guides } from "./index.ts";
import { homeOf } from "./programs.ts";

const sdkPage = "docs/clients/sdks.md";

/** Runs the guides that the options name, one after another: each has the gateway's log to itself. */
export async function tryGuides(options: Options, folder: string): Promise<Verdict[]> {
  const wanted = guides.filter(({ id }) => isChosen(options.only, `guide-${id}`, "guides"));
  const withSdks = isChosen(options.only, "guide-sdks", "guides");
  if (wanted.length === 0 && !withSdks) return [];
  const host = await npmStart({ state: path.join(folder, "state-of-guides") });
  const verdicts: Verdict[] = [];
  try {
    for (const guide of wanted) {
      const reader = await readerAt(host, path.join(folder, `reader-of-${guide.id}`));
      verdicts.push(await judged(`guide ${guide.page}`, () => tryGuide(guide, host, reader)));
    }
    if (withSdks) verdicts.push(...(await trySdkPage(host, folder)));
    return verdicts;
  } finally {
    await host.stop();
  }
}

async function readerAt(host: Host, home: string): Promise<Reader> {
  mkdirSync(home, { recursive: true });
  const key = await keyOf(host, "default");
  return { gateway: host.base, key, adminToken: host.adminToken, home };
}

async function tryGuide(guide: Guide, host: Host, reader: Reader): Promise<string[]> {
  const blocks = blocksOf(guide.page);
  for (const block of blocks) writeConfiguration(block, reader);
  const shims = path.join(reader.home, "programs");
  for (const program of guide.programs) await writeShim(program, shims);
  const lines = blocks.filter(isRunHere).map(({ text }) => filledIn(text, reader));
  const before = await rowsOf(host);
  const ran = await runShell(lines.join("\n"), reader, shims);
  return [...problemsOf(ran), ...(await logProblems(host, before))];
}

function isRunHere({ mark }: Block): boolean {
  return mark?.word === "run" && mark.value === "clients";
}

/** Writes a client's own file where the guide says. */
function writeConfiguration(block: Block, reader: Reader): void {
  if (block.mark?.word !== "file") return;
  const file = path.join(reader.home, block.mark.value.replace(/^~\//, ""));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, filledIn(block.text, reader));
}

/** A command of the program's name that starts it without a terminal. */
async function writeShim(program: GuideProgram, folder: string): Promise<void> {
  const bin = await installProgram(path.resolve(".clients", program.folder), program);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, program.command);
  const start = `PATH="${bin}:$PATH"\nprogram="${path.join(bin, program.command)}"\n${program.headless}`;
  writeFileSync(file, `#!/bin/sh\nexec </dev/null\n${start}\n`);
  chmodSync(file, 0o755);
}

async function trySdkPage(host: Host, folder: string): Promise<Verdict[]> {
  const reader = await readerAt(host, path.join(folder, "reader-of-sdks"));
  const verdicts: Verdict[] = [];
  for (const block of blocksOf(sdkPage).filter(isRunHere))
    verdicts.push(
      await judged(`guide ${sdkPage}:${block.line}`, async () => {
        const before = await rowsOf(host);
        const ran = await runProgramOn(await homeOf(block), block, reader);
        return [...problemsOf(ran), ...(await logProblems(host, before))];
      }),
    );
  return verdicts;
}

interface Row {
  readonly status: number;
}

async function rowsOf(host: Host): Promise<readonly Row[]> {
  return (await admin<{ data: readonly Row[] }>(host, "GET /api/requests?limit=100")).data;
}

function problemsOf({ code, output }: Ran): string[] {
  return code === 0 ? [] : [`ended with code ${code}:\n${output.slice(-1500)}`];
}

/** A request must have arrived, and none may have failed. */
async function logProblems(host: Host, before: readonly Row[]): Promise<string[]> {
  const rows = await rowsOf(host);
  const fresh = rows.slice(0, rows.length - before.length);
  const bad = fresh.filter(({ status }) => status >= 400);
  if (fresh.length === 0) return ["no request reached the gateway"];
  return bad.length === 0
    ? []
    : [`${bad.length} of ${fresh.length} requests failed: ${bad[0]?.status}`];
}
