/** The name of a conversation, from what clients send anyway. */
import { asObject, asString } from "../lib/json.ts";
import type { AutoRequest } from "./decision.ts";
import type { View } from "./view.ts";

/** Instructions are told apart by so many of their first characters. */
const instructionHead = 200;

/**
 * An id that the client states, else the instructions and the first ask. Parallel conversations of one
 * client session (its helpers) have other instructions, so their openings are part of the name too.
 */
export function sessionKey(
  { headers, body, turn, harness }: Pick<AutoRequest, "headers" | "body" | "turn" | "harness">,
  view: View,
): string {
  const stated = headers.get("x-gateway-session");
  if (stated) return named(harness.id, "s", stated);
  const client =
    headers.get("x-claude-code-session-id") ??
    headers.get("session-id") ??
    headers.get("session_id") ??
    asString(body["prompt_cache_key"]) ??
    headers.get("x-session-id") ??
    asString(asObject(body["metadata"])?.["session_id"]);
  const told = instructionHeads(turn.messages);
  if (client) return named(harness.id, "c", `${client}\n${told}`);
  return named(harness.id, "h", `${told}\n${view.opening}`);
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
