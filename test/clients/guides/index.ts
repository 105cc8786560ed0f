/** The guides that are run. */
import { clientVersions } from "../cli.ts";
import { cline } from "../programs/cline.ts";
import { continueCli } from "../programs/continue.ts";
import { copilot } from "../programs/copilot.ts";
import { geminiCli } from "../programs/gemini-cli.ts";
import { opencode } from "../programs/opencode.ts";
import type { Program } from "../programs/program.ts";
import { qwen } from "../programs/qwen.ts";
import type { Guide, GuideProgram } from "./guide.ts";

/** Asks something where the line of the guide only starts the program. */
const askByOption = `[ $# -gt 0 ] || set -- -p Hello\nexec "$program" "$@"`;

const claude: GuideProgram = {
  folder: "guides/claude",
  command: "claude",
  packages: { [clientVersions.claude.package]: clientVersions.claude.version },
  scripts: [clientVersions.claude.package],
  headless: askByOption,
};

const codex: GuideProgram = {
  folder: "guides/codex",
  command: "codex",
  packages: { [clientVersions.codex.package]: clientVersions.codex.version },
  headless: `[ "$1" = exec ] || set -- exec --skip-git-repo-check "$@" Hello\nexec "$program" "$@"`,
};

/** A program of the other trials, in its folder there. */
function shared({ id, packages, scripts, command }: Program, headless: string): GuideProgram {
  return {
    folder: `programs/${id}`,
    packages,
    command,
    headless,
    ...(scripts !== undefined && { scripts }),
  };
}

function guide(id: string, ...programs: readonly GuideProgram[]): Guide {
  return { id, page: `docs/clients/${id}.md`, programs };
}

export const guides: readonly Guide[] = [
  { id: "readme", page: "README.md", programs: [claude, codex] },
  guide("claude-code", claude),
  guide("codex", codex),
  guide("gemini-cli", shared(geminiCli, `export GEMINI_CLI_TRUST_WORKSPACE=true\n${askByOption}`)),
  guide("opencode", shared(opencode, `exec "$program" "$@"`)),
  guide("qwen-code", shared(qwen, askByOption)),
  guide("copilot-cli", shared(copilot, `export COPILOT_AUTO_UPDATE=false\n${askByOption}`)),
  guide(
    "cline",
    shared(
      cline,
      `export CLINE_SESSION_BACKEND_MODE=local\n[ $# -gt 0 ] || set -- "Say hello."\nexec "$program" "$@"`,
    ),
  ),
  guide(
    "continue",
    shared(
      continueCli,
      `export CONTINUE_TELEMETRY_ENABLED=0\ncase "$*" in *" -p "*) ;; *) set -- "$@" -p Hello ;; esac\nexec "$program" "$@"`,
    ),
  ),
];
