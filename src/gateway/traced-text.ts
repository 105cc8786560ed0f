/** What a request and its answer say, for the spans of harnesses that have it traced. Pure. */
import type { Block, Message } from "../core/request.ts";
import { finishReasons } from "../telemetry/trace/conventions.ts";
import type { TracedText } from "../telemetry/finished-request.ts";
import type { Answered } from "./outcome.ts";

/** Takes out of a text what must not be kept. */
export type Redact = (text: string) => string;

/** Characters of all messages of a request, and of an answer. */
const longestText = 20_000;

interface Part {
  readonly type: string;
  readonly [member: string]: string;
}

interface TracedMessage {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly finish_reason?: string;
}

/** The conversation and its answer as JSON, in the conventions' shape: the newest messages, as far as they fit. */
export function tracedText({ decided, totals }: Answered, redact: Redact): TracedText {
  const { stop } = totals;
  const answer: TracedMessage = {
    role: "assistant",
    parts: [{ type: "text", content: cut(redact(totals.texts.text()), longestText) }],
    ...(stop !== undefined && { finish_reason: finishReasons[stop] }),
  };
  return {
    input: JSON.stringify(newest(decided.request.inHub().messages, redact)),
    output: JSON.stringify([answer]),
  };
}

/** From the end, because that is what is new. */
function newest(messages: readonly Message[], redact: Redact): TracedMessage[] {
  const kept: TracedMessage[] = [];
  let left = longestText;
  for (const message of messages.toReversed()) {
    const parts: Part[] = [];
    for (const block of message.blocks.toReversed()) {
      if (left <= 0) break;
      const part = partOf(block, { redact, left });
      left -= JSON.stringify(part).length;
      parts.unshift(part);
    }
    if (parts.length > 0) kept.unshift({ role: roleOf(message), parts });
  }
  return kept;
}

function roleOf({ role, blocks }: Message): string {
  if (role === "instruction") return "system";
  return blocks.some(({ kind }) => kind === "result") ? "tool" : role;
}

/** How texts are written: what is taken out of them, and how long they may be. */
interface Writing {
  readonly redact: Redact;
  readonly left: number;
}

/** Media and what only its provider can read are named, not written. */
function partOf(block: Block, writing: Writing): Part {
  switch (block.kind) {
    case "text":
    case "refusal":
      return { type: "text", content: written(block.text, writing) };
    case "thinking":
      return { type: "reasoning", content: written(block.text, writing) };
    case "call":
      return {
        type: "tool_call",
        id: cut(block.id, longestId),
        name: cut(block.name, longestId),
        arguments: written(block.input, writing),
      };
    case "result":
      return {
        type: "tool_call_response",
        id: cut(block.id, longestId),
        response: written(textsIn(block.blocks), writing),
      };
    case "media":
      return { type: block.media };
    case "reference":
    case "opaque":
      return { type: block.kind };
    default:
      return block satisfies never;
  }
}

const longestId = 200;

function textsIn(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
}

/** Redacted before it is cut: half a secret is not known for one. */
function written(text: string, { redact, left }: Writing): string {
  return cut(redact(text), left);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most);
}
