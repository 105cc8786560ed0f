/**
 * Known clients: how they are recognised, and what each always sends, so that only a departure from it counts
 * as somebody's wish.
 */
import type { ModelRequest } from "../core/request.ts";

export type ClientName = "claude-code" | "codex" | "opencode" | "unknown";

export interface Client {
  name: ClientName;
  /** Its own tools: offered on every turn, so that their number says nothing. */
  kit: number;
  /** Efforts that it states without being told to. */
  usualEfforts: readonly string[];
  /** Thinking budget in tokens that it states without being told to. */
  usualBudget?: number;
}

const clients = {
  "claude-code": {
    name: "claude-code",
    kit: 40,
    usualEfforts: ["high", "medium"],
    usualBudget: 31_999,
  },
  codex: { name: "codex", kit: 40, usualEfforts: ["medium"] },
  opencode: { name: "opencode", kit: 24, usualEfforts: ["medium"] },
  unknown: { name: "unknown", kit: 0, usualEfforts: [] },
} as const satisfies Record<ClientName, Client>;

interface Marks {
  headers: { get(name: string): string | null };
  turn: ModelRequest;
}

/** Which client wrote the request, by its own headers; the first instruction decides where a proxy ate them. */
export function clientOf({ headers, turn }: Marks): Client {
  const agent = headers.get("user-agent")?.toLowerCase() ?? "";
  const origin = headers.get("originator")?.toLowerCase() ?? "";
  if (agent.startsWith("claude-cli/") || headers.get("x-claude-code-session-id"))
    return clients["claude-code"];
  if (agent.startsWith("codex") || origin.startsWith("codex")) return clients.codex;
  if (agent.startsWith("opencode")) return clients.opencode;
  return clients[byInstruction(turn)];
}

/** Opening words of the instructions, where only the client can have put them. */
const openings: readonly (readonly [string, ClientName])[] = [
  ["x-anthropic-billing-header: cc_version", "claude-code"],
  ["you are claude code", "claude-code"],
  ["you are a claude agent, built on anthropic's claude agent sdk", "claude-code"],
  ["you are codex", "codex"],
  ["you are a coding agent running in the codex cli", "codex"],
  ["you are opencode", "opencode"],
];

function byInstruction(turn: ModelRequest): ClientName {
  const first = turn.messages[0];
  if (first?.role !== "instruction") return "unknown";
  const block = first.blocks[0];
  const head = block?.kind === "text" ? block.text.slice(0, 120).trimStart().toLowerCase() : "";
  return openings.find(([opening]) => head.startsWith(opening))?.[1] ?? "unknown";
}
