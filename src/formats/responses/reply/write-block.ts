/** Writes one block of an answer: events of the stream, and the item or part that stays. */
import type { OpenBlock, OpenCall } from "../../../core/events.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writeAnnotation } from "../citations.ts";
import { specialItem } from "../special.ts";
import type { OpenMessage, Output } from "./output.ts";
import {
  callItem,
  hostedItem,
  imageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from "./write-items.ts";

/** Writes the pieces of one block; pieces that its kind does not have are ignored. */
export interface BlockWriter {
  delta?(text: string): void;
  cite?(citation: Citation): void;
  state?(state: OpaqueState): void;
  close?(): void;
}

/** What a block is written with. */
export interface BlockContext {
  output: Output;
  /** Types of client-run tools that were offered as functions. */
  specials: ReadonlySet<string>;
  /** What the provider wants back with a call; it is written as a reasoning item before the call. */
  state: OpaqueState | undefined;
  /** The block asks for something that no Responses client could do. */
  onUnsupported: (type: string) => void;
}

/** Begins a block; gives the writer of the rest. Text and reasoning are written with their first piece. */
export function blockWriter(block: OpenBlock, context: BlockContext): BlockWriter {
  const { output } = context;
  switch (block.kind) {
    case "text":
      return textWriter(output, block.phase);
    case "refusal":
      return refusalWriter(output);
    case "thinking":
      return thinkingWriter(output);
    case "call":
      return callWriter(block, context);
    case "media":
      // There is no output item for other media.
      if (block.media === "image") output.wholeItem(imageItem(output.newId("ig_"), block));
      return {};
    case "opaque": {
      const item = hostedItem(block.raw);
      if (item) output.wholeItem(item);
      else if (block.action) context.onUnsupported(block.type);
      return {};
    }
    default:
      return block satisfies never;
  }
}

/** A part of a message. */
interface MessagePart {
  /** Whether it was opened. */
  isOpen(): boolean;
  /** Opens it unless it is open; gives the members that tell its position. */
  position(): string;
  /** Writes `content_part.done` and adds the part to its message. */
  finish(part: JsonObject): void;
}

/** A part that opens at its first use, in the open message or a new one. `empty`: the part as it is announced. */
function messagePart(
  output: Output,
  phase: () => string | undefined,
  empty: JsonObject,
): MessagePart {
  let message: OpenMessage | undefined;
  const open = (): OpenMessage => {
    if (message) return message;
    message = output.openMessage(phase());
    const position = output.position(message.id, message.parts.length);
    output.writeEvent?.(
      "response.content_part.added",
      `${position},"part":${JSON.stringify(empty)}`,
    );
    return message;
  };
  const position = (): string => {
    const { id, parts } = open();
    return output.position(id, parts.length);
  };
  return {
    isOpen: () => message !== undefined,
    position,
    finish(part) {
      output.writeEvent?.(
        "response.content_part.done",
        `${position()},"part":${JSON.stringify(part)}`,
      );
      open().parts.push(part);
    },
  };
}

function textWriter(output: Output, phase: string | undefined): BlockWriter {
  const part = messagePart(output, () => phase, textPart("", []));
  const annotations: JsonObject[] = [];
  let text = "";
  return {
    delta(added) {
      const position = part.position();
      text += added;
      output.writeEvent?.(
        "response.output_text.delta",
        `${position},"delta":${JSON.stringify(added)},"logprobs":[]`,
      );
    },
    cite(citation) {
      const annotation = writeAnnotation(citation, text.length);
      if (!annotation) return;
      const position = `${part.position()},"annotation_index":${annotations.length}`;
      output.writeEvent?.(
        "response.output_text.annotation.added",
        `${position},"annotation":${JSON.stringify(annotation)}`,
      );
      annotations.push(annotation);
    },
    close() {
      if (!part.isOpen()) return;
      output.writeEvent?.(
        "response.output_text.done",
        `${part.position()},"text":${JSON.stringify(text)},"logprobs":[]`,
      );
      part.finish(textPart(text, annotations));
    },
  };
}

function refusalWriter(output: Output): BlockWriter {
  const part = messagePart(output, output.phase, refusalPart(""));
  let text = "";
  return {
    delta(added) {
      const position = part.position();
      text += added;
      output.writeEvent?.("response.refusal.delta", `${position},"delta":${JSON.stringify(added)}`);
    },
    close() {
      if (!part.isOpen()) return;
      output.writeEvent?.(
        "response.refusal.done",
        `${part.position()},"refusal":${JSON.stringify(text)}`,
      );
      part.finish(refusalPart(text));
    },
  };
}

function thinkingWriter(output: Output): BlockWriter {
  const id = output.newId("rs_");
  let isOpen = false;
  let text = "";
  let state: OpaqueState | undefined;
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    output.closeMessage();
    output.addItem(reasoningItem(id, ""));
  };
  const { writeEvent } = output;
  const writeSummary =
    writeEvent &&
    ((event: string, members: string): void => {
      const position = `${output.position(id)},"summary_index":0`;
      writeEvent(`response.reasoning_summary_${event}`, `${position},${members}`);
    });
  return {
    delta(added) {
      open();
      if (text === "") writeSummary?.("part.added", '"part":{"type":"summary_text","text":""}');
      text += added;
      writeSummary?.("text.delta", `"delta":${JSON.stringify(added)}`);
    },
    state(added) {
      open();
      state = added;
    },
    close() {
      if (!isOpen) return;
      if (text !== "") {
        const json = JSON.stringify(text);
        writeSummary?.("text.done", `"text":${json}`);
        writeSummary?.("part.done", `"part":{"type":"summary_text","text":${json}}`);
      }
      output.finishItem(reasoningItem(id, text, state && { state, owner: "self" }));
    },
  };
}

function callWriter(call: OpenCall, context: BlockContext): BlockWriter {
  const { output, specials } = context;
  output.closeMessage();
  writeStateItem(output, context.state, "next");
  const isPlain = call.call === "function" && call.namespace === undefined;
  return isPlain && specials.has(call.name)
    ? specialCallWriter(call, output)
    : toolCallWriter(call, output, context.state !== undefined);
}

/** `hasState`: the call's state was already written. */
function toolCallWriter(call: OpenCall, output: Output, hasState: boolean): BlockWriter {
  const isCustom = call.call === "custom";
  const id = output.newId(isCustom ? "ctc_" : "fc_");
  const type = isCustom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  let input = "";
  let lateState: OpaqueState | undefined;
  const addInput = (added: string): void => {
    input += added;
    output.writeEvent?.(`${type}.delta`, `${output.position(id)},"delta":${JSON.stringify(added)}`);
  };
  output.addItem(callItem(call, { id, input, status: "in_progress" }));
  return {
    delta: addInput,
    state(state) {
      if (!hasState) lateState = state;
    },
    close() {
      // Arguments of no parameters are an empty object, not an empty text.
      if (input === "" && !isCustom) addInput("{}");
      const json = JSON.stringify(input);
      const members = isCustom
        ? `"input":${json}`
        : `"name":${JSON.stringify(call.name)},"arguments":${json}`;
      output.writeEvent?.(`${type}.done`, `${output.position(id)},${members}`);
      output.finishItem(callItem(call, { id, input, status: "completed" }));
      writeStateItem(output, lateState, "previous");
    },
  };
}

/** What the provider wants back with a call, in a reasoning item next to it. */
function writeStateItem(
  output: Output,
  state: OpaqueState | undefined,
  owner: "next" | "previous",
): void {
  if (state?.origin === undefined) return;
  output.wholeItem(reasoningItem(output.newId("rs_"), "", { state, owner }));
}

/** The item of a client-run tool has no events for its input, which is written when it is complete. */
function specialCallWriter(call: OpenCall, output: Output): BlockWriter {
  const special = call.name;
  const id = output.newId(specialItem(special, "")?.prefix ?? "fc_");
  let input = "";
  output.addItem(callItem(call, { id, input, status: "in_progress", special }));
  return {
    delta(added) {
      input += added;
    },
    close() {
      output.finishItem(callItem(call, { id, input, status: "completed", special }));
    },
  };
}
