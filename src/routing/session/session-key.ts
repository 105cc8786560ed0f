/** The key of a conversation's session state, from what clients send anyway. */
import type { Message } from "../../core/request.ts";
import type { RoutingInput } from "../contract/input.ts";
import { statedAgent } from "../intent/stated-role.ts";
import type { RoutingView } from "../request/request-view.ts";

/** What identifies a conversation. */
export type SessionKeyInput = Pick<RoutingInput, "headers" | "conversation" | "request"> & {
  readonly harness: Pick<RoutingInput["harness"], "id">;
};

/** The response that a request continues, since only its provider has it; else the conversation itself. */
export function requestSessionKey(input: SessionKeyInput, view: RoutingView): string {
  const { previousResponseId } = input.request;
  return previousResponseId === undefined
    ? ownSessionKey(input, view)
    : responseSessionKey(input.harness.id, previousResponseId);
}

/** The key under which a request that continues this response will look. */
export function responseSessionKey(harness: string, responseId: string): string {
  return keyOf(harness, "r", responseId);
}

/**
 * By `x-gateway-session`; else by the id that the client states and the instructions, because subagents share the
 * id of their session but not its instructions; else by the instructions and the first ask. An agent that the client
 * names has a conversation of its own.
 */
export function ownSessionKey(input: SessionKeyInput, view: RoutingView): string {
  const { headers, harness } = input;
  const session = headers.get("x-gateway-session");
  const agent = statedAgent(headers);
  const whose = agent === undefined ? "" : `\n${agent}`;
  if (session) return keyOf(harness.id, "s", `${session}${whose}`);
  const instructions = instructionHeads(input.request.messages);
  const stated = statedSession(input);
  if (stated) return keyOf(harness.id, "c", `${stated}\n${instructions}${whose}`);
  return keyOf(harness.id, "h", `${instructions}\n${view.firstAsk}`);
}

/**
 * The key under which a conversation's cost is counted, its agents included: by the id that the client states, else by
 * the conversation's own key.
 */
export function conversationBudgetKey(input: SessionKeyInput, sessionKey: string): string {
  const id = input.headers.get("x-gateway-session") ?? statedSession(input);
  return keyOf(input.harness.id, "b", id ?? sessionKey);
}

/** Without the instructions: a compaction request may bring others. */
export function contentKey(input: SessionKeyInput, view: RoutingView): string {
  const id = input.headers.get("x-gateway-session") ?? statedSession(input) ?? "";
  const agent = statedAgent(input.headers) ?? "";
  return keyOf(input.harness.id, "o", `${id}${agent}\n${view.firstAsk}`);
}

/** Headers in which clients state their session, in the order in which they count. */
const sessionHeaders = [
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "x-session-id",
  "x-session-affinity",
] as const;

/** The client's own id of its session. Headers count before the body. */
export function statedSession({
  headers,
  conversation,
}: Pick<SessionKeyInput, "headers" | "conversation">): string | undefined {
  for (const name of sessionHeaders) {
    const id = headers.get(name);
    if (id !== null) return id;
  }
  return conversation;
}

function keyOf(harness: string, kind: string, text: string): string {
  return `${harness}:${kind}${hash64(text)}`;
}

/** Characters of each instruction that identify it. */
const instructionHead = 200;

/** The beginnings of the leading instructions; the billing line of Claude Code changes from request to request. */
function instructionHeads(messages: readonly Message[]): string {
  const heads: string[] = [];
  for (const message of messages.slice(0, 3)) {
    if (message.role !== "instruction") break;
    for (const block of message.blocks) {
      if (block.kind !== "text" || block.text.startsWith("x-anthropic-billing-header")) continue;
      heads.push(block.text.slice(0, instructionHead));
    }
  }
  return heads.join("\n");
}

/** Two FNV-1a hashes of 32 bits as hex: synchronous, and enough to tell a workspace's conversations apart. */
function hash64(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xcbf29ce4;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + at), 0x01000193);
  }
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
}
