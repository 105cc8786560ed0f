/** Known clients: how to recognize them, and what each sends by default, so that only deviations count as intent. */
import type { ModelRequest } from "../../core/request.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";

export type ClientName = "claude-code" | "codex" | "opencode" | "gemini-cli" | "unknown";

/** A client program and its defaults. */
export interface ClientProfile {
  readonly name: ClientName;
  /** Upper bound of the tools that it always offers: their number says nothing about the work. */
  readonly ownTools: number;
  /** Efforts that it sends by default. */
  readonly defaultEfforts: readonly string[];
  /** Thinking budget that it sends by default, in tokens. */
  readonly defaultBudget?: number;
}

const clients: Readonly<Record<ClientName, ClientProfile>> = {
  "claude-code": {
    name: "claude-code",
    ownTools: 40,
    defaultEfforts: ["high", "medium"],
    defaultBudget: 31_999,
  },
  codex: { name: "codex", ownTools: 40, defaultEfforts: ["medium"] },
  opencode: { name: "opencode", ownTools: 24, defaultEfforts: ["medium"] },
  "gemini-cli": {
    name: "gemini-cli",
    ownTools: 24,
    defaultEfforts: ["high", "medium"],
    defaultBudget: 8192,
  },
  unknown: { name: "unknown", ownTools: 0, defaultEfforts: [] },
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
  return clients[clientByInstruction(request)];
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
