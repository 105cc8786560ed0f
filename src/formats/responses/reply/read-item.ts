/** An output item while it is read, with the reader of its type. */
import type { ItemContext, ItemReader } from "./item-reader.ts";
import { callReader } from "./read-calls.ts";
import { hostedItemReader } from "./read-hosted-item.ts";
import { messageReader } from "./read-message.ts";
import { reasoningReader } from "./read-reasoning.ts";

/** An output item as far as it is known. */
export interface Item {
  readonly type: string;
  id?: string;
  callId?: string;
  /** Nothing more is read of it. */
  done: boolean;
  readonly reader: ItemReader;
}

/** An item of which nothing was read. */
export function newItem(type: string, item: ItemContext): Item {
  return { type, done: false, reader: readerOf(type, item) };
}

function readerOf(type: string, item: ItemContext): ItemReader {
  switch (type) {
    case "message":
      return messageReader(item.events);
    case "reasoning":
      return reasoningReader(item.events, item.context.origin);
    case "function_call":
    case "custom_tool_call":
      return callReader(type, item);
    default:
      return hostedItemReader(item.events);
  }
}
