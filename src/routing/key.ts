/** The name of a conversation, from what clients send anyway. */
import { asObject, asString } from "../lib/json.ts";
import type { AutoRequest } from "./decision.ts";
import type { View } from "./view.ts";

/** Instructions are told apart by so many of their first characters. */
const instructionHead = 200;

type Keyed = Pick<AutoRequest, "headers" | "body" | "turn" | "harness">;

/** The answer that a request goes on from, since only its provider has it; else the conversation's own name. */
export function sessionKey(keyed: Keyed, view: View): string {
  const { previousResponseId: previous } = keyed.turn;
  return previous === undefined ? ownKey(keyed, view) : answerKey(keyed.harness.id, previous);
}

/**
 * An id that the client states, else the instructions and the first ask. Parallel conversations of one client
 * session (its helpers) have other instructions, so their openings are part of the name too.
 */
export function ownKey({ headers, body, turn, harness }: Keyed, view: View): string {
  const stated = headers.get("x-gateway-session");
  if (stated) return named(harness.id, "s", stated);
  const client = clientSession({ headers, body });
  const told = instructionHeads(turn.messages);
  if (client) return named(harness.id, "c", `${client}\n${told}`);
  return named(harness.id, "h", `${told}\n${view.opening}`);
}

/** The name that a stored answer gives to the conversation that goes on from it. */
export function answerKey(harness: string, response: string): string {
  return named(harness, "r", response);
}

/** The name of a conversation apart from its instructions: those of a compaction may be others. */
export function contentKey({ headers, body, harness }: Keyed, view: View): string {
  const client = headers.get("x-gateway-session") ?? clientSession({ headers, body }) ?? "";
  return named(harness.id, "o", `${client}\n${view.opening}`);
}

function clientSession({ headers, body }: Pick<Keyed, "headers" | "body">): string | undefined {
  const { conversation, metadata } = body;
  return (
    headers.get("x-claude-code-session-id") ??
    headers.get("session-id") ??
    headers.get("session_id") ??
    asString(conversation) ??
    asString(asObject(conversation)?.["id"]) ??
    asString(body["prompt_cache_key"]) ??
    headers.get("x-session-id") ??
    asString(asObject(metadata)?.["session_id"])
  );
}

function named(harness: string, kind: string, text: string): string {
  return `${harness}:${kind}${hash(text)}`;
}

function instructionHeads(messages: AutoRequest["turn"]["messages"]): string {
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

/** Two FNV-1a hashes of 32 bits: enough to tell a workspace's conversations apart, and synchronous. */
export function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xcbf29ce4;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + at), 0x01000193);
  }
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
}
