/** Writes the whole answer that a Gemini client reads. */
import type { ReplyEcho } from "../../../core/format.ts";
import type { Reply, ReplyBlock } from "../../../core/reply.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { unwritableReply } from "../../../translation/errors.ts";
import type { CarriedState } from "../shared/carried-states.ts";
import { callIds } from "./call-ids.ts";
import { citedText } from "./cited-text.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { brokenReply, unsupportedAction } from "./write-errors.ts";
import { answerHead, callPart, mediaPart, showsThoughts, signedPart } from "./write-parts.ts";

/** The whole answer. Throws M500 with status 502 for an answer that this format cannot express. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const { blocks, stop, usage } = reply;
  const parts = writeParts(blocks, echo);
  const refused = blocks.some(({ kind }) => kind === "refusal");
  const finishReason = writeStopReason(stop.reason, refused);
  if (finishReason === undefined) throw unwritableReply(brokenReply(stop));
  const rest = { usageMetadata: writeUsage(usage), ...answerHead(reply, echo) };
  if (stop.reason === "filter" && parts.length === 0)
    return { promptFeedback: { blockReason: finishReason }, ...rest };
  const groundingMetadata = groundingOf(blocks);
  const candidate = {
    // Clients drop a turn without parts from the conversation, and the question with it.
    content: { parts: parts.length === 0 ? [{ text: "" }] : parts, role: "model" },
    finishReason,
    index: 0,
    ...(groundingMetadata && { groundingMetadata }),
  };
  return { candidates: [candidate], ...rest };
}

/** State of reasoning goes to the first call behind it, else to the last text. */
function writeParts(blocks: readonly ReplyBlock[], echo: ReplyEcho): JsonObject[] {
  const ids = callIds(echo);
  const shows = showsThoughts(echo);
  const parts: JsonObject[] = [];
  let waiting: CarriedState[] = [];
  for (const block of blocks) {
    if (block.kind === "thinking" && block.state)
      waiting.push({ state: block.state, owner: "thinking" });
    if (block.kind === "call") {
      const own: CarriedState[] = block.state ? [{ state: block.state, owner: "part" }] : [];
      parts.push(signedPart(callPart(block, ids(block.id), block.input), [...waiting, ...own]));
      waiting = [];
    } else {
      const part = plainPart(block, shows);
      if (part) parts.push(part);
    }
  }
  return waiting.length === 0 ? parts : withState(parts, waiting);
}

function plainPart(
  block: Exclude<ReplyBlock, { kind: "call" }>,
  shows: boolean,
): JsonObject | undefined {
  switch (block.kind) {
    case "text":
    case "refusal":
      return block.text === "" ? undefined : { text: block.text };
    case "thinking":
      return shows && block.text !== "" ? { text: block.text, thought: true } : undefined;
    case "media":
      return mediaPart(block);
    case "opaque":
      if (block.action) throw unwritableReply(unsupportedAction(block.type));
      return undefined;
    default:
      return block satisfies never;
  }
}

/** State behind every call: on the last text that is no thought and has none yet, or on an empty one. */
function withState(parts: readonly JsonObject[], states: readonly CarriedState[]): JsonObject[] {
  const at = parts.findLastIndex(
    (part) => typeof part["text"] === "string" && part["thought"] !== true,
  );
  if (at < 0) return [...parts, signedPart({ text: "" }, states)];
  return parts.map((part, place) => (place === at ? signedPart(part, states) : part));
}

function groundingOf(blocks: readonly ReplyBlock[]): JsonObject | undefined {
  const cited = citedText();
  for (const block of blocks) {
    if (block.kind === "refusal") cited.add(block.text);
    if (block.kind !== "text") continue;
    const from = cited.add(block.text);
    for (const citation of block.citations) cited.cite(citation, from);
  }
  return cited.grounding();
}
