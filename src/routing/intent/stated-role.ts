/**
 * What clients say of a request's purpose in headers made for it. Each word is one of a closed list: everything else is
 * as if it had not been said.
 */
import type { RequestRoleName } from "../../core/request-role.ts";
import { asObject, asString, parseJson, type JsonObject } from "../../lib/json.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";

/**
 * `auxiliary`: a side request, of which the client does not say whether it is cheap work or a decision about safety.
 */
export type StatedRole = RequestRoleName | "auxiliary";

/** The role that the client states; undefined where it says nothing that is understood. */
export function statedRole(headers: HeaderReader): StatedRole | undefined {
  return claudeCodeRole(headers) ?? codexRole(headers) ?? openCodeRole(headers);
}

/** Agents of clients that only look for things, by the names that clients give them. */
const searchers: ReadonlySet<string> = new Set([
  "explore",
  "explorer",
  "search",
  "searcher",
  "file-search",
  "code-search",
  "codebase-search",
  "librarian",
]);

/** Whether the client states that the agent only looks for things. */
export function isStatedSearcher(headers: HeaderReader): boolean {
  return searchers.has(word(headers, "x-claude-code-agent-type") ?? "");
}

/** Whether this is the first request of a conversation that was just compacted: nothing of it is cached. */
export function isJustCompacted(headers: HeaderReader): boolean {
  const why = word(headers, "x-claude-code-context-compacted");
  return why !== undefined && compactions.has(why);
}

/** Id of the agent within the session; undefined for the main one. */
export function statedAgent(headers: HeaderReader): string | undefined {
  const agent = headers.get("x-claude-code-agent-id");
  if (agent !== null && agent !== "") return agent;
  // Codex gives each of its agents a thread; that of the main one has the session's id.
  const thread = headers.get("thread_id") ?? headers.get("thread-id");
  const session = headers.get("session_id") ?? headers.get("session-id");
  return thread === null || thread === "" || session === null || thread === session
    ? undefined
    : thread;
}

/** Why conversations are compacted, as Claude Code says it. */
const compactions: ReadonlySet<string> = new Set(["auto", "manual", "reactive"]);

/** `x-claude-code-request-class`. A side reply goes on from the main conversation. */
const claudeCodeClasses: Readonly<Record<string, StatedRole>> = {
  main: "main",
  side_reply: "main",
  subagent: "subagent",
  workflow: "subagent",
  compaction: "compaction",
  auxiliary: "auxiliary",
};

/** `x-claude-1p-request-class`, which is coarser: its `main` covers decisions about safety. */
const claudeCodeKinds: Readonly<Record<string, StatedRole>> = {
  "blocking-subagent": "subagent",
  "background-task": "auxiliary",
  "summary-extraction": "background",
  "followup-generation": "background",
};

function claudeCodeRole(headers: HeaderReader): StatedRole | undefined {
  if (compactions.has(word(headers, "x-claude-code-compaction") ?? "")) return "compaction";
  const stated = oneOf(claudeCodeClasses, word(headers, "x-claude-code-request-class"));
  const kind = oneOf(claudeCodeKinds, word(headers, "x-claude-1p-request-class"));
  // A side request may say more of itself by its kind.
  const said = stated === "auxiliary" && kind === "background" ? kind : (stated ?? kind);
  const isAgent = (headers.get("x-claude-code-agent-id") ?? "") !== "";
  if (said !== "subagent" && !(said === undefined && isAgent)) return said;
  return word(headers, "x-claude-code-agent-type") === "plan" ? "plan" : "subagent";
}

/** `x-openai-subagent`. The guardian judges what another agent is about to do. */
const codexAgents: Readonly<Record<string, StatedRole>> = {
  guardian: "safety",
  compact: "compaction",
  memory_consolidation: "background",
  review: "subagent",
  collab_spawn: "subagent",
  thread_spawn: "subagent",
  other: "subagent",
};

/** `request_kind` of Codex's metadata. */
const codexKinds: Readonly<Record<string, StatedRole>> = {
  prewarm: "background",
  memory: "background",
  compaction: "compaction",
  compact: "compaction",
};

function codexRole(headers: HeaderReader): StatedRole | undefined {
  const metadata = turnMetadata(headers);
  const kind = oneOf(codexKinds, asString(metadata["request_kind"])?.toLowerCase());
  if (kind !== undefined) return kind;
  const agent = oneOf(codexAgents, word(headers, "x-openai-subagent"));
  if (agent !== undefined) return agent;
  if (word(headers, "x-openai-memgen-request") === "true") return "background";
  if (asObject(metadata["compaction"]) !== undefined) return "compaction";
  if (isCodexAgent(headers, metadata))
    return oneOf(codexAgents, asString(metadata["subagent_kind"])?.toLowerCase()) ?? "subagent";
  return metadata["request_kind"] === "turn" ? "main" : undefined;
}

function isCodexAgent(headers: HeaderReader, metadata: JsonObject): boolean {
  return (
    metadata["thread_source"] === "subagent" ||
    asString(metadata["subagent_kind"]) !== undefined ||
    asString(metadata["parent_thread_id"]) !== undefined ||
    (headers.get("x-codex-parent-thread-id") ?? "") !== ""
  );
}

/** Longest metadata that is read, in characters; Codex writes less than a thousand. */
const longestMetadata = 16_384;

function turnMetadata(headers: HeaderReader): JsonObject {
  const text = headers.get("x-codex-turn-metadata");
  if (text === null || text.length > longestMetadata) return {};
  return asObject(parseJson(text)) ?? {};
}

/** opencode and its relatives name the session that delegated the task. */
function openCodeRole(headers: HeaderReader): StatedRole | undefined {
  const parent = headers.get("x-parent-session-id") ?? "";
  return parent === "" ? undefined : "subagent";
}

/** Longest word that a header of a closed list can hold. */
const longestWord = 64;

function word(headers: HeaderReader, name: string): string | undefined {
  const text = headers.get(name);
  return text === null || text.length > longestWord ? undefined : text.trim().toLowerCase();
}

function oneOf<Value>(
  words: Readonly<Record<string, Value>>,
  said: string | undefined,
): Value | undefined {
  return said !== undefined && Object.hasOwn(words, said) ? words[said] : undefined;
}
