/** The clients whose requests are recorded, each with a piece of work that makes it send what it can send. */
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Task } from "../agent.ts";
import { clientVersions, runClient, type ClientName } from "../cli.ts";
import { programs } from "../programs/index.ts";
import type { Wanted } from "../programs/install.ts";
import { launchProgram } from "../programs/launch.ts";
import { filesTask, type Program, type ProgramRun } from "../programs/program.ts";
import { layFiles, scenarios } from "../tasks.ts";

export interface Subject {
  id: string;
  name: string;
  wanted: Wanted;
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
];

function programSubject(program: Program): Subject {
  const { id, name, speaks } = program;
  return {
    id,
    name,
    wanted: program,
    ways: speaks,
    model: "lab-model",
    task: (work) => filesTask(program.tools, work),
    async work(run, bin) {
      const { code, output } = await (await launchProgram(program, run, bin)).ended;
      return code === 0 ? [] : [`ended with code ${code}: ${output.slice(-600)}`];
    },
  };
}

function scenarioSubject(client: ClientName, name: string, way: WireFormat): Subject {
  const { model = "", task } = scenarios[client] ?? {};
  const { package: from, version } = clientVersions[client];
  return {
    id: client,
    name,
    wanted: { packages: { [from]: version }, scripts: [from], command: client },
    ways: [way],
    model,
    task: (work) => task?.(work) ?? { steps: [], final: "" },
    work(run, bin) {
      layFiles(run.work);
      return runClient({ ...run, client, bin });
    },
  };
}
