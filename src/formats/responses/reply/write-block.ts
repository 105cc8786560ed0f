/** Writes one block of an answer with the writer of its kind. */
import type { OpenBlock } from "../../../core/events.ts";
import type { BlockContext, BlockWriter } from "./block-writer.ts";
import { callWriter } from "./write-calls.ts";
import { hostedItem, imageItem, searchItem } from "./write-items.ts";
import { refusalWriter, textWriter } from "./write-message.ts";
import { thinkingWriter } from "./write-reasoning.ts";

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
      const item =
        hostedItem(block.raw) ?? (block.search && searchItem(output.newId("ws_"), block.search));
      if (item) output.wholeItem(item);
      else if (block.action) context.onUnsupported(block.type);
      return {};
    }
    default:
      return block satisfies never;
  }
}
