/** Anthropic Messages, as a provider writes them. */
import { pieces, usualUsage, type Said, type Endpoint } from "./said.ts";

export const messages: Endpoint = {
  whole(said, model) {
    return { ...head(model), content: blocks(said), stop_reason: stop(said), usage: usage(said) };
  },
  events(said, model) {
    const start = {
      ...head(model),
      content: [],
      stop_reason: null,
      usage: { ...usage(said), output_tokens: 1 },
    };
    const inner = blocks(said).flatMap((block, index) => blockEvents(block, index));
    return [
      event({ type: "message_start", message: start }),
      event({ type: "ping" }),
      ...inner.map(event),
      event({
        type: "message_delta",
        delta: { stop_reason: stop(said), stop_sequence: null },
        usage: { output_tokens: usage(said).output_tokens },
      }),
      event({ type: "message_stop" }),
    ];
  },
};

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

function blocks(said: Said): Block[] {
  const list: Block[] = [];
  if (said.thinking) {
    list.push({ type: "thinking", thinking: said.thinking.text, signature: said.thinking.state });
  }
  if (said.text !== undefined) list.push({ type: "text", text: said.text });
  for (const call of said.calls ?? []) {
    list.push({ type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.input) });
  }
  return list;
}

function blockEvents(block: Block, index: number): { type: string }[] {
  const delta = (value: object) => ({ type: "content_block_delta", index, delta: value });
  const open = (empty: object) => ({ type: "content_block_start", index, content_block: empty });
  const close = { type: "content_block_stop", index };
  switch (block.type) {
    case "thinking": {
      const texts = pieces(block.thinking).map((thinking) =>
        delta({ type: "thinking_delta", thinking }),
      );
      const signed = delta({ type: "signature_delta", signature: block.signature });
      return [open({ type: "thinking", thinking: "", signature: "" }), ...texts, signed, close];
    }
    case "text": {
      const texts = pieces(block.text).map((text) => delta({ type: "text_delta", text }));
      return [open({ type: "text", text: "" }), ...texts, close];
    }
    case "tool_use": {
      const parts = pieces(JSON.stringify(block.input));
      const inputs = parts.map((part) => delta({ type: "input_json_delta", partial_json: part }));
      return [open({ ...block, input: {} }), ...inputs, close];
    }
    default:
      return block satisfies never;
  }
}

function head(model: string) {
  return { id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null };
}

function event(data: { type: string; [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function stop(said: Said): string {
  return said.calls ? "tool_use" : "end_turn";
}

function usage(said: Said) {
  const { input, cached, output } = said.usage ?? usualUsage;
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}
