/** One writer a block kind: what it says when it is fed and when it closes. */
import type { OpenBlock } from "../../core/reply.ts";
import type { Citation, OpaqueState } from "../../core/request.ts";
import type { JsonObject } from "../../lib/json.ts";
import { writeAnnotation } from "./citations.ts";
import type { OpenMessage, Output } from "./output.ts";
import { clientToolItem } from "./client-tools.ts";
import {
  callItem,
  hostedItem,
  imageItem,
  reasoningItem,
  refusalPart,
  textPart,
  type CallHead,
} from "./write-items.ts";

/** Pieces that a kind does not have are ignored. */
export interface BlockWriter {
  delta?(text: string): void;
  cite?(citation: Citation): void;
  state?(state: OpaqueState): void;
  close?(): void;
}

/** What a block needs besides the output. */
export interface BlockContext {
  /** Types of client-run tools that were offered as functions. */
  specials: ReadonlySet<string>;
  /** What the provider wants back with a call; it stands in a reasoning item before the call. */
  state: OpaqueState | undefined;
  /** The block asks for something that no Responses client could do. */
  refuse: (type: string) => void;
}

/** Begins a block. Text and reasoning say nothing until there is something to say. */
export function blockWriter(block: OpenBlock, out: Output, context: BlockContext): BlockWriter {
  switch (block.kind) {
    case "text":
      return textWriter(out, block.phase);
    case "refusal":
      return refusalWriter(out);
    case "thinking":
      return thinkingWriter(out);
    case "call":
      return callWriter(block, out, context);
    case "media":
      // There is no output item for other media.
      if (block.media === "image") out.whole(imageItem(out.newId("ig_"), block));
      return {};
    case "opaque": {
      const item = hostedItem(block.raw);
      if (item) out.whole(item);
      else if (block.action) context.refuse(block.type);
      return {};
    }
    default:
      return block satisfies never;
  }
}

/** The message that a part stands in, with the part announced at its first use. */
function partOf(
  out: Output,
  phase: () => string | undefined,
  empty: JsonObject,
): () => OpenMessage {
  let owner: OpenMessage | undefined;
  return () => {
    if (owner) return owner;
    owner = out.message(phase());
    const at = out.place(owner.id, owner.parts.length);
    out.say?.("response.content_part.added", `${at},"part":${JSON.stringify(empty)}`);
    return owner;
  };
}

function textWriter(out: Output, phase: string | undefined): BlockWriter {
  const open = partOf(out, () => phase, textPart("", []));
  const annotations: JsonObject[] = [];
  let text = "";
  let opened = false;
  const at = (): string => {
    opened = true;
    const owner = open();
    return out.place(owner.id, owner.parts.length);
  };
  return {
    delta(added) {
      const place = at();
      text += added;
      out.say?.(
        "response.output_text.delta",
        `${place},"delta":${JSON.stringify(added)},"logprobs":[]`,
      );
    },
    cite(citation) {
      const annotation = writeAnnotation(citation, text.length);
      if (!annotation) return;
      const place = `${at()},"annotation_index":${annotations.length}`;
      out.say?.(
        "response.output_text.annotation.added",
        `${place},"annotation":${JSON.stringify(annotation)}`,
      );
      annotations.push(annotation);
    },
    close() {
      if (!opened) return;
      const part = textPart(text, annotations);
      if (out.say) {
        const place = at();
        out.say(
          "response.output_text.done",
          `${place},"text":${JSON.stringify(text)},"logprobs":[]`,
        );
        out.say("response.content_part.done", `${place},"part":${JSON.stringify(part)}`);
      }
      open().parts.push(part);
    },
  };
}

function refusalWriter(out: Output): BlockWriter {
  const open = partOf(out, out.phase, refusalPart(""));
  let text = "";
  const at = (): string => {
    const owner = open();
    return out.place(owner.id, owner.parts.length);
  };
  return {
    delta(added) {
      const place = at();
      text += added;
      out.say?.("response.refusal.delta", `${place},"delta":${JSON.stringify(added)}`);
    },
    close() {
      if (text === "") return;
      const part = refusalPart(text);
      if (out.say) {
        const place = at();
        out.say("response.refusal.done", `${place},"refusal":${JSON.stringify(text)}`);
        out.say("response.content_part.done", `${place},"part":${JSON.stringify(part)}`);
      }
      open().parts.push(part);
    },
  };
}

function thinkingWriter(out: Output): BlockWriter {
  const id = out.newId("rs_");
  let opened = false;
  let text = "";
  let kept: OpaqueState | undefined;
  const open = (): void => {
    if (opened) return;
    opened = true;
    out.closeMessage();
    out.added(reasoningItem(id, ""));
  };
  const at = (): string => `${out.place(id)},"summary_index":0`;
  return {
    delta(added) {
      open();
      if (text === "")
        out.say?.(
          "response.reasoning_summary_part.added",
          `${at()},"part":{"type":"summary_text","text":""}`,
        );
      text += added;
      out.say?.(
        "response.reasoning_summary_text.delta",
        `${at()},"delta":${JSON.stringify(added)}`,
      );
    },
    state(state) {
      open();
      kept = state;
    },
    close() {
      if (!opened) return;
      if (out.say && text !== "") {
        const json = JSON.stringify(text);
        out.say("response.reasoning_summary_text.done", `${at()},"text":${json}`);
        out.say(
          "response.reasoning_summary_part.done",
          `${at()},"part":{"type":"summary_text","text":${json}}`,
        );
      }
      out.done(reasoningItem(id, text, kept && { state: kept, owner: "self" }));
    },
  };
}

function callWriter(head: CallHead, out: Output, context: BlockContext): BlockWriter {
  out.closeMessage();
  stateItem(out, context.state, "next");
  const plain = head.call === "function" && head.namespace === undefined;
  if (plain && context.specials.has(head.name)) return specialWriter(head, out);
  const custom = head.call === "custom";
  const id = out.newId(custom ? "ctc_" : "fc_");
  const type = custom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  let input = "";
  let late: OpaqueState | undefined;
  const delta = (added: string): void => {
    input += added;
    out.say?.(`${type}.delta`, `${out.place(id)},"delta":${JSON.stringify(added)}`);
  };
  out.added(callItem(head, { id, input, status: "in_progress" }));
  return {
    delta,
    state(state) {
      if (!context.state) late = state;
    },
    close() {
      // Arguments of no parameters are an empty object, not an empty text.
      if (input === "" && !custom) delta("{}");
      const all = JSON.stringify(input);
      const members = custom
        ? `"input":${all}`
        : `"name":${JSON.stringify(head.name)},"arguments":${all}`;
      out.say?.(`${type}.done`, `${out.place(id)},${members}`);
      out.done(callItem(head, { id, input, status: "completed" }));
      stateItem(out, late, "previous");
    },
  };
}

/** What the provider wants back with a call, in an item next to it. */
function stateItem(out: Output, state: OpaqueState | undefined, owner: "next" | "previous"): void {
  if (state?.origin !== undefined) out.whole(reasoningItem(out.newId("rs_"), "", { state, owner }));
}

/** A client-run tool's own item has no events for its input: it is known when it is complete. */
function specialWriter(head: CallHead, out: Output): BlockWriter {
  const special = head.name;
  const id = out.newId(clientToolItem(special, "")?.prefix ?? "fc_");
  let input = "";
  out.added(callItem(head, { id, input, status: "in_progress", special }));
  return {
    delta(added) {
      input += added;
    },
    close() {
      out.done(callItem(head, { id, input, status: "completed", special }));
    },
  };
}
