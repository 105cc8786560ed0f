/** Known clients: how to recognize them, and what each sends by default, so that only deviations count as intent. */
import type { Message, ModelRequest } from "../../core/request.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";

/** `agent`: another program that works with tools; `unknown`: anything else. */
export type ClientName = "claude-code" | "codex" | "opencode" | "gemini-cli" | "agent" | "unknown";

/** A client program and its defaults. */
export interface ClientProfile {
  readonly name: ClientName;
  /** It always offers its tools and repeats its instructions and the history: none of them says how hard the work is. */
  readonly isAgent: boolean;
  /** Efforts that it sends by default. */
  readonly defaultEfforts: readonly string[];
  /** Thinking budget that it sends by default, in tokens. */
  readonly defaultBudget?: number;
}

const clients: Readonly<Record<ClientName, ClientProfile>> = {
  "claude-code": {
    name: "claude-code",
    isAgent: true,
    defaultEfforts: ["high", "medium"],
    defaultBudget: 31_999,
  },
  codex: { name: "codex", isAgent: true, defaultEfforts: ["medium"] },
  opencode: { name: "opencode", isAgent: true, defaultEfforts: ["medium"] },
  "gemini-cli": {
    name: "gemini-cli",
    isAgent: true,
    defaultEfforts: ["high", "medium"],
    defaultBudget: 8192,
  },
  agent: { name: "agent", isAgent: true, defaultEfforts: ["medium"] },
  unknown: { name: "unknown", isAgent: false, defaultEfforts: [] },
};

/** Recognizes the client by its headers; by the first instruction where a proxy removed them. */
export function recognizeClient({
  headers,
  request,
}: {
  readonly headers: HeaderReader;
  readonly request: ModelRequest;
}): ClientProfile {
  const userAgent = headers.get("user-agent")?.toLowerCase() ?? "";
  const originator = headers.get("originator")?.toLowerCase() ?? "";
  if (userAgent.startsWith("claude-cli/") || headers.get("x-claude-code-session-id"))
    return clients["claude-code"];
  if (userAgent.startsWith("codex") || originator.startsWith("codex")) return clients.codex;
  if (userAgent.startsWith("opencode")) return clients.opencode;
  if (userAgent.startsWith("geminicli")) return clients["gemini-cli"];
  const byInstruction = clientByInstruction(request);
  if (byInstruction !== "unknown") return clients[byInstruction];
  const isAgent = isNamedAgent(headers, userAgent) || worksWithTools(request);
  return clients[isAgent ? "agent" : "unknown"];
}

/** How the user agents of other agents begin, or the titles that they give themselves. Lower case. */
const agentNames = [
  "cline",
  "roo",
  "kilo",
  "aider",
  "cursor",
  "goose",
  "zed",
  "githubcopilot",
  "copilot",
  "qwen",
  "openhands",
  "crush",
  "charm-crush",
  "continue",
  "windsurf",
  "amp/",
  "droid",
] as const;

function isNamedAgent(headers: HeaderReader, userAgent: string): boolean {
  const title = headers.get("x-title")?.toLowerCase() ?? "";
  if (userAgent === "" && title === "") return false;
  return agentNames.some((name) => userAgent.startsWith(name) || title.startsWith(name));
}

/** A tool that runs commands, and one that works on files, whatever their program calls them. */
const runningTool =
  /^(?:bash|shell|terminal|exec\w*|run_?(?:command|in_terminal|shell|terminal)\w*|execute_?\w*|local_shell)$/i;
const fileTool =
  /^(?:(?:read|write|edit|create|view|open)_?(?:many_|to_)?(?:files?)?|multi_?edit|str_replace\w*|apply_(?:diff|patch)|replace(?:_in_file)?|insert_edit\w*|text_editor)$/i;
/** Instructions of agents for development are never shorter, in characters. */
const leastInstructions = 1500;
/** A client with this many tools and characters of instructions is an agent, whatever its tools are for. */
const manyTools = 8;
const longInstructions = 10_000;

/** Whether an unknown client works as agents do: by its tools together with its instructions. */
function worksWithTools({ tools, messages }: ModelRequest): boolean {
  if (tools.length < 2) return false;
  const length = instructionLength(messages);
  if (length < leastInstructions) return false;
  if (length >= longInstructions && tools.length >= manyTools) return true;
  const isOffered = (pattern: RegExp): boolean =>
    tools.some((tool) => tool.kind !== "hosted" && pattern.test(tool.name));
  return isOffered(runningTool) && isOffered(fileTool);
}

/** Characters of the leading instructions. */
function instructionLength(messages: readonly Message[]): number {
  let length = 0;
  for (const { role, blocks } of messages) {
    if (role !== "instruction") break;
    for (const block of blocks) if (block.kind === "text") length += block.text.length;
  }
  return length;
}

/** How the first instruction of each client begins. Lower case. */
const instructionPrefixes: readonly (readonly [string, ClientName])[] = [
  ["x-anthropic-billing-header: cc_version", "claude-code"],
  ["you are claude code", "claude-code"],
  ["you are a claude agent, built on anthropic's claude agent sdk", "claude-code"],
  ["you are codex", "codex"],
  ["you are a coding agent running in the codex cli", "codex"],
  ["you are opencode", "opencode"],
  ["you are gemini cli", "gemini-cli"],
];

function clientByInstruction({ messages }: ModelRequest): ClientName {
  const first = messages[0];
  if (first?.role !== "instruction") return "unknown";
  const block = first.blocks[0];
  const head = block?.kind === "text" ? block.text.slice(0, 120).trimStart().toLowerCase() : "";
  return instructionPrefixes.find(([prefix]) => head.startsWith(prefix))?.[1] ?? "unknown";
}
