/** The clients whose requests are recorded, each with a piece of work that makes it send what it can send. */
import path from "node:path";
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Task } from "../agent.ts";
import { clientVersions, runClient, type ClientName } from "../cli.ts";
import { programs } from "../programs/index.ts";
import type { Wanted } from "../programs/install.ts";
import { launchProgram } from "../programs/launch.ts";
import { filesTask, type Program, type ProgramRun } from "../programs/program.ts";
import { Driver } from "../sdks/driver.ts";
import { sdks } from "../sdks/index.ts";
import { installNode, wantedOf } from "../sdks/install.ts";
import type { Sdk } from "../sdks/sdk.ts";
import { weatherTask } from "../sdks/work.ts";
import { layFiles, scenarios } from "../tasks.ts";

export interface Subject {
  id: string;
  name: string;
  wanted: Wanted;
  /** Where it is installed, below `.clients`. */
  folder: string;
  /** Packages that go up together; the first of `wanted` alone where they are not named. */
  raised?: readonly string[];
  /** The formats in which it is recorded. */
  ways: readonly WireFormat[];
  /** The provider's name for the model: some clients offer other tools for other names. */
  model: string;
  task(work: string): Task;
  /** Does the work. Returns what was wrong with its end. */
  work(run: ProgramRun, bin: string): Promise<string[]>;
}

export const subjects: readonly Subject[] = [
  scenarioSubject("claude", "Claude Code", "messages"),
  scenarioSubject("codex", "Codex", "responses"),
  ...programs.map(programSubject),
  ...sdks.flatMap(sdkSubjects),
];

function programSubject(program: Program): Subject {
  const { id, name, speaks } = program;
  return {
    id,
    name,
    wanted: program,
    folder: `programs/${id}`,
    ways: speaks,
    model: "lab-model",
    task: (work) => filesTask(program.tools, work),
    async work(run, bin) {
      const { code, output } = await (await launchProgram(program, run, bin)).ended;
      return code === 0 ? [] : [`ended with code ${code}: ${output.slice(-600)}`];
    },
  };
}

/** One a way: each is another client on the wire. */
function sdkSubjects(sdk: Sdk): Subject[] {
  const ways = Object.entries(sdk.ways).filter(([, { lacks }]) => lacks?.includes("task") !== true);
  return ways.map(([name, { speaks, toolPrefix }]) => ({
    id: `${sdk.id}-${name}`,
    name: `${sdk.name} (${name})`,
    wanted: wantedOf(sdk),
    folder: `sdks/${sdk.id}`,
    raised: Object.keys(sdk.packages).filter((one) => one !== "zod"),
    ways: [speaks],
    model: "lab-model",
    task: () => weatherTask(toolPrefix),
    work: (run, bin) => useSdk({ sdk, way: name, run, folder: path.resolve(bin, "..", "..") }),
  }));
}

/** Its task, and what shows the other things that it sends, whatever comes of them. */
async function useSdk(use: { sdk: Sdk; way: string; run: ProgramRun; folder: string }) {
  const { sdk, way, run, folder } = use;
  const driver = new Driver(sdk, { node: await installNode(), folder });
  const { gateway, key, model } = run;
  try {
    const done = await driver.start(way, "task", { gateway, key, model }).ended;
    for (const action of ["stream", "structured"] as const)
      await driver.start(way, action, { gateway, key, model }).ended;
    return "error" in done ? [`${done.error.name}: ${done.error.message}`] : [];
  } finally {
    driver.stop();
  }
}

function scenarioSubject(client: ClientName, name: string, way: WireFormat): Subject {
  const { model = "", task } = scenarios[client] ?? {};
  const { package: from, version } = clientVersions[client];
  return {
    id: client,
    name,
    wanted: { packages: { [from]: version }, scripts: [from], command: client },
    folder: `programs/${client}`,
    ways: [way],
    model,
    task: (work) => task?.(work) ?? { steps: [], final: "" },
    work(run, bin) {
      layFiles(run.work);
      return runClient({ ...run, client, bin });
    },
  };
}
