/** Blocks as content parts of messages and of tool outputs. */
import { invalid } from "../../../core/problem.ts";
import type { Block, Citation, TextBlock } from "../../../core/request.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { flatMapped } from "../../../lib/lists.ts";
import { isSet, noteUnknownMembers } from "../../../translation/unsupported.ts";
import {
  noteCacheMark,
  noteCitations,
  type WriteContext,
} from "../../../translation/write-context.ts";
import { writeAnnotation } from "../shared/citations.ts";
import { writeMedia } from "./write-media.ts";

/** Parts that a user, an instruction or a tool output may hold; what has no part is listed or refused. */
export function writeContent(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  return flatMapped(blocks, (block) => writePart(block, context));
}

function writePart(block: Block, context: WriteContext): JsonObject[] {
  switch (block.kind) {
    case "text":
      noteCacheMark(block, context);
      // Only texts of the model have annotations.
      noteCitations(block, context);
      return [{ type: "input_text", text: block.text }];
    case "media":
      noteCacheMark(block, context);
      return writeMedia(block, (blocks) => writeContent(blocks, context), context);
    case "reference":
      return [{ type: "input_text", text: `Loaded tools: ${block.tool}` }];
    case "refusal":
      return [{ type: "input_text", text: block.text }];
    case "opaque": {
      const text = opaqueText(block, context);
      return text === undefined ? [] : [{ type: "input_text", text }];
    }
    case "thinking":
      context.dropped.add(block.path);
      return [];
    case "call":
    case "result":
      return [];
    default:
      return block satisfies never;
  }
}

/** A part of the model's own message. */
export function writeSpokenText(block: TextBlock, context: WriteContext): JsonObject {
  noteCacheMark(block, context);
  if (block.citations === undefined)
    return { type: "output_text", text: block.text, annotations: [] };
  const annotations = block.citations.flatMap((citation) => {
    noteLostCitation(citation, block, context);
    const annotation = writeAnnotation(citation, block.text.length);
    return annotation ? [annotation] : [];
  });
  return { type: "output_text", text: block.text, annotations };
}

const citedMembers = new Set(["type", "url", "source", "title"]);

/** Of another format's source the address and the title are sent. */
function noteLostCitation(citation: Citation, block: TextBlock, context: WriteContext): void {
  const { citationsPath: path } = block;
  if (path === undefined || citation.raw?.format === "responses") return;
  if (citation.url === undefined) context.dropped.add(path);
  else
    noteUnknownMembers(asObject(citation.raw?.value), citedMembers, {
      path: `${path}[]`,
      unsupported: context.dropped,
    });
}

/** The text of a block of another format; refused when it holds something that must not be lost. */
export function opaqueText(
  block: Extract<Block, { kind: "opaque" }>,
  context: WriteContext,
): string | undefined {
  context.dropped.add(block.path);
  if (block.weight === "auxiliary") return undefined;
  if (!isSet(block.text))
    throw invalid(block.path, `a ${block.type} block has no counterpart at this model's provider`);
  return block.text;
}
