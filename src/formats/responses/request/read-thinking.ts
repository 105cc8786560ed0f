/** Reasoning items of a Responses request, and state of calls that travels in them. */
import type { OpaqueState, ThinkingBlock } from "../../../core/request.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { isTagged, unwrapOwnedState, type StateOwner } from "../../../translation/opaque-state.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { stateless } from "../shared/reasoning-state.ts";
import { addToAssistant, giveState, type Conversation } from "./conversation.ts";
import type { IndexedPosition } from "./position.ts";

const reasoningMembers = new Set(["type", "summary", "content", "encrypted_content"]);
const thoughtMembers = new Set(["type", "text"]);

/** Adds the reasoning to the assistant message, or its state to the call that it belongs to. */
export function readReasoningItem(
  item: JsonObject,
  position: IndexedPosition,
  conversation: Conversation,
): void {
  noteUnknownMembers(item, reasoningMembers, position);
  for (const name of ["summary", "content"] as const)
    for (const part of asArray(item[name]))
      noteUnknownMembers(asObject(part), thoughtMembers, {
        ...position,
        path: `${position.path}.${name}[]`,
      });
  const text = [...asArray(item["summary"]), ...asArray(item["content"])]
    .map((part) => (isObject(part) ? asString(part["text"]) : asString(part)) ?? "")
    .filter((part) => part !== "")
    .join("\n\n");
  const data = asString(item["encrypted_content"]) ?? "";
  const kept = data === "" ? undefined : readState(data);
  const path = `${position.path}.encrypted_content`;
  if (data !== "" && !kept && data !== stateless) position.unsupported.add(path);
  const given = kept && { state: kept.state, path };
  if (kept?.owner === "previous" && giveState(conversation.messages.at(-1)?.blocks.at(-1), given))
    return;
  addToAssistant(thinkingBlock(text, kept?.state, position), conversation);
  if (given && kept?.owner === "next") conversation.waiting = given;
}

function thinkingBlock(
  text: string,
  state: OpaqueState | undefined,
  position: IndexedPosition,
): ThinkingBlock {
  return {
    kind: "thinking",
    text,
    ...(state && { state }),
    ...(state?.type.startsWith("redacted") === true && { redacted: true }),
    path: state && text === "" ? `${position.path}.encrypted_content` : position.path,
  };
}

/** Tagged state is what another format's provider made; the rest is native. A damaged tag is nobody's. */
function readState(data: string): { state: OpaqueState; owner: StateOwner } | undefined {
  if (isTagged(data)) return unwrapOwnedState(data);
  return { state: { format: "responses", type: "encrypted_content", data }, owner: "self" };
}
