/** Keeps what clients send (`--record`), and compares the newest versions with it (`--latest`). */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { WireFormat } from "../kit/wire/said.ts";
import { npmStart, type Host } from "../smoke/host.ts";
import { execute } from "./cli.ts";
import { isChosen, type Options } from "./options.ts";
import { installProgram } from "./programs/install.ts";
import { differences } from "./shape/compare.ts";
import { record } from "./shape/record.ts";
import { reportOf, type Compared } from "./shape/report.ts";
import type { ClientShape } from "./shape/shape.ts";
import { subjects, type Subject } from "./shape/subjects.ts";

/** A file of test/clients/shapes. */
interface KeptShape {
  client: string;
  version: string;
  ways: Partial<Record<WireFormat, ClientShape>>;
}

const reportFile = path.resolve(".clients", "report.md");

/** Records the pinned versions. Returns how many clients failed. */
export async function recordShapes(options: Options, folder: string): Promise<number> {
  return await eachSubject(options, folder, async (subject, host) => {
    const bin = await installProgram(path.resolve(".clients", subject.folder), subject.wanted);
    const { ways, problems } = await record(subject, { host, bin, folder });
    const kept: KeptShape = { client: subject.name, version: pinned(subject), ways };
    if (problems.length === 0)
      writeFileSync(shapeFile(subject), `${JSON.stringify(kept, null, 2)}\n`);
    console.log(`${subject.name} ${kept.version} ${problems.length === 0 ? "recorded" : "FAILED"}`);
    for (const problem of new Set(problems)) console.log(`        ${problem}`);
    return problems.length === 0;
  });
}

/** Compares the newest versions with the records, and prints a report. Returns how many clients failed at their work. */
export async function compareLatest(options: Options, folder: string): Promise<number> {
  const compared: Compared[] = [];
  const failed = await eachSubject(options, folder, async (subject, host) => {
    const result = await compareOne(subject, { host, folder });
    compared.push(result);
    return result.problems.length === 0;
  });
  const report = reportOf(compared);
  mkdirSync(path.dirname(reportFile), { recursive: true });
  writeFileSync(reportFile, `${report}\n`);
  console.log(`${report}\n\nThis report: ${path.relative(".", reportFile)}`);
  return failed;
}

async function compareOne(
  subject: Subject,
  { host, folder }: { host: Host; folder: string },
): Promise<Compared> {
  // Written by `recordShapes`.
  const kept = JSON.parse(readFileSync(shapeFile(subject), "utf8")) as KeptShape;
  const about = { name: subject.name, recorded: kept.version };
  try {
    const raised = await newestOf(subject);
    const newest = raised[mainPackage(subject)] ?? "";
    const packages = { ...subject.wanted.packages, ...raised };
    const place = path.resolve(".clients", "latest", subject.folder);
    const bin = await installProgram(place, { ...subject.wanted, packages });
    const { ways, problems } = await record(subject, { host, bin, folder });
    const found = subject.ways.map((way) => [
      way,
      differences(kept.ways[way] ?? {}, ways[way] ?? {}),
    ]);
    return { ...about, newest, problems, differences: Object.fromEntries(found) };
  } catch (error) {
    return { ...about, newest: "(not tried)", problems: [String(error)], differences: {} };
  }
}

async function eachSubject(
  { only }: Options,
  folder: string,
  work: (subject: Subject, host: Host) => Promise<boolean>,
): Promise<number> {
  const host = await npmStart({ state: path.join(folder, "state") });
  let failed = 0;
  try {
    for (const subject of subjects) {
      if (!isChosen(only, subject.id, groupOf(subject))) continue;
      if (!(await work(subject, host))) failed += 1;
    }
  } finally {
    await host.stop();
  }
  return failed;
}

function groupOf({ folder }: Subject): string {
  return folder.startsWith("sdks/") ? "sdks" : "clients";
}

function shapeFile({ id }: Subject): string {
  return path.resolve("test/clients/shapes", `${id}.json`);
}

function mainPackage({ wanted }: Subject): string {
  return Object.keys(wanted.packages)[0] ?? "";
}

function pinned(subject: Subject): string {
  return subject.wanted.packages[mainPackage(subject)] ?? "";
}

/** The newest version of each package that goes up. */
async function newestOf(subject: Subject): Promise<Record<string, string>> {
  const names = subject.raised ?? [mainPackage(subject)];
  const versions = await Promise.all(
    names.map(async (name) => [name, await newestVersion(name)] as const),
  );
  return Object.fromEntries(versions);
}

async function newestVersion(name: string): Promise<string> {
  const args = ["view", `${name}@latest`, "version", "--json", "--loglevel=error"];
  const { code, output } = await execute("npm", args, { cwd: ".", env: process.env });
  const version = /"(\d[^"]*)"/.exec(output)?.[1];
  if (code !== 0 || version === undefined)
    throw new Error(`npm does not say the newest version of ${name}: ${output}`);
  return version;
}
