/** Writes text and refusals as parts of a message. */
import type { Citation } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writeAnnotation } from "../shared/citations.ts";
import type { BlockWriter } from "./block-writer.ts";
import type { OpenMessage, Output } from "./output.ts";
import { refusalPart, textPart } from "./write-items.ts";

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

/** A writer of one text, with its citations. */
export function textWriter(output: Output, phase: string | undefined): BlockWriter {
  const part = messagePart(output, () => phase, textPart("", []));
  const annotations: JsonObject[] = [];
  /** Citations of the whole text, whose length is not known yet. */
  let waiting: Citation[] = [];
  let text = "";
  const annotate = (citation: Citation): void => {
    const annotation = writeAnnotation(citation, text.length);
    if (!annotation) return;
    const position = `${part.position()},"annotation_index":${annotations.length}`;
    output.writeEvent?.(
      "response.output_text.annotation.added",
      `${position},"annotation":${JSON.stringify(annotation)}`,
    );
    annotations.push(annotation);
  };
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
      if (citation.end === undefined && citation.raw?.format !== "responses")
        waiting.push(citation);
      else annotate(citation);
    },
    close() {
      for (const citation of waiting) annotate(citation);
      waiting = [];
      if (!part.isOpen()) return;
      output.writeEvent?.(
        "response.output_text.done",
        `${part.position()},"text":${JSON.stringify(text)},"logprobs":[]`,
      );
      part.finish(textPart(text, annotations));
    },
  };
}

/** A writer of one refusal. */
export function refusalWriter(output: Output): BlockWriter {
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
