/** A client program as the tests run it: what npm installs, how it is set up, and its words for a piece of work. */
import path from "node:path";
import type { WireFormat } from "../../kit/wire/said.ts";
import type { PlannedCall, Task } from "../agent.ts";
import { final } from "../tasks.ts";

export interface Program {
  id: string;
  name: string;
  /** What npm installs, by exact version; the first is the program. `node` is the Node that it runs on. */
  packages: Readonly<Record<string, string>>;
  /** Packages whose install scripts put their binaries in place. */
  scripts?: readonly string[];
  /** Its command, as npm links it. */
  command: string;
  /** The formats that it can be told to speak, the usual one first. */
  speaks: readonly [WireFormat, ...WireFormat[]];
  tools: ToolWords;
  /** Where it says of which session a request is: how it delegates a task, which it then says too. */
  names?: { delegation?: CallWords };
  /** Writes its settings into its home and work folder; the commands, the last of which does the work. */
  setUp(run: ProgramRun): [...Invocation[], Invocation];
}

export interface Invocation {
  args: string[];
  environment: Record<string, string>;
}

export interface ProgramRun {
  speaks: WireFormat;
  /** `http://127.0.0.1:<port>`, without a version. */
  gateway: string;
  key: string;
  model: string;
  prompt: string;
  /** Where the work is done. */
  work: string;
  /** The program's own home: no settings of this machine reach it. */
  home: string;
}

/** The program's tools for files and commands. */
export interface ToolWords {
  write(file: string, content: string): CallWords;
  shell(command: string): CallWords;
  read(file: string): CallWords;
}

export type CallWords = Pick<PlannedCall, "tool" | "input">;

const words = 'héllo wörld 世界 🎉 "quoted" \\ back $HOME\tend';
const writeSecond = "printf 'from the shell: ünï' > second.txt; echo shell ok";

/** Two calls at once, one that fails, and a look at what was written: what `checkFiles` looks for is left behind. */
export function filesTask(tools: ToolWords, folder: string): Task {
  const first = path.join(folder, "first.txt");
  return {
    steps: [
      [
        { ...tools.write(first, `${words}\n`), result: /./ },
        { ...tools.shell(writeSecond), result: /shell ok/ },
      ],
      [{ ...tools.shell("echo broken >&2; exit 3"), result: /broken/ }],
      [{ ...tools.read(first), result: /héllo wörld 世界 🎉/ }],
    ],
    final,
  };
}
