/** The log says what each request of a client is for, and of which session and agent it is. */
import type { Said } from "../../kit/wire/said.ts";
import { startClaude, startCodex } from "../cli.ts";
import { calling, model, type Heard } from "./lines.ts";
import type { Scene } from "./scene.ts";
import type { SeenRow, Stage } from "./stage.ts";

const task = "Look at a file and say what it holds.";
const formats = ["chat"] as const;

function claudeSays({ results, offers }: Heard): Said {
  if (!offers("Agent")) return { text: "It holds nothing." };
  if (results.length > 0) return { text: "Done." };
  const asked = { description: "Look", prompt: task, subagent_type: "Explore" };
  return calling("Agent", { ...asked, run_in_background: false });
}

const space = "multi_agent_v1__";

function codexSays({ results, offers }: Heard): Said {
  if (!offers(`${space}spawn_agent`)) return { text: "It holds nothing." };
  if (results.length === 0) return calling(`${space}spawn_agent`, { message: task });
  if (results.length > 1) return { text: "Done." };
  const id = /"agent_id":"([^"]+)"/.exec(results[0]?.text ?? "")?.[1];
  return calling(`${space}wait_agent`, { targets: [id], timeout_ms: 30_000 }, "call_2");
}

export const roles: readonly Scene[] = [
  {
    name: "roles-claude",
    formats,
    cast: (format) => ({ lab: model(format, claudeSays) }),
    play: (stage) =>
      delegated(stage, async () => {
        const environment = { CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1" };
        const run = { ...stage.run, client: "claude" as const, model: "auto" };
        return (await startClaude(run, { prompt: "Delegate it.", environment })).output;
      }),
  },
  {
    name: "roles-codex",
    formats,
    cast: (format) => ({ lab: model(format, codexSays) }),
    play: (stage) =>
      delegated(stage, async () => {
        const run = { ...stage.run, client: "codex" as const, model: "auto" };
        return (await startCodex(run, { prompt: "Delegate it." })).output;
      }),
  },
];

async function delegated(stage: Stage, work: () => Promise<string>): Promise<string[]> {
  await stage.open();
  const output = await work();
  const rows = await stage.rows();
  const problems = problemsOf(rows);
  if (!output.includes("Done.")) problems.push("the task was not brought to its end");
  return problems.length > 0 ? [...problems, JSON.stringify(rows.map(idsOf)), output] : [];
}

function problemsOf(rows: readonly SeenRow[]): string[] {
  const main = rows.filter(({ role }) => role === "main");
  const agents = rows.filter(({ role }) => role === "subagent");
  const sessions = new Set(rows.map(({ session }) => session));
  const ids = new Set(agents.map(({ agent }) => agent));
  const problems: string[] = [];
  if (main.length < 2) problems.push(`${main.length} rows of the main conversation`);
  if (agents.length !== 1) problems.push(`${agents.length} rows of a subagent`);
  if (main.length + agents.length !== rows.length) problems.push("rows of other roles");
  if (sessions.size !== 1 || sessions.has(undefined)) problems.push("not one session");
  if (ids.size !== 1 || ids.has(undefined)) problems.push("not one agent");
  if (main.some(({ agent }) => agent !== undefined)) problems.push("a main row names an agent");
  if (rows.some(({ prompt }) => prompt === undefined)) problems.push("a row names no prompt");
  return problems;
}

function idsOf({ role, session, agent, parent_agent: parent, prompt }: SeenRow): object {
  return { role, session, agent, parent, prompt };
}
