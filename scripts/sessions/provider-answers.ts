/** Answers as providers stream them. */
import type { BilledTokens } from "./prompt-cache.ts";

/** Part of a request or an answer as it is sent. */
export type WireObject = Record<string, unknown>;

export interface WireCall {
  readonly name: string;
  readonly input: WireObject;
}

export interface WireAnswer {
  readonly model: string;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly WireCall[];
  readonly outputTokens: number;
}

let made = 0;

/** As Anthropic's Messages. */
export function messagesEvents(answer: WireAnswer, billed: BilledTokens): string {
  const { model, thinking, text, calls } = answer;
  const input = {
    input_tokens: billed.uncached,
    cache_read_input_tokens: billed.read,
    cache_creation_input_tokens: billed.written,
  };
  const start = { id: `msg_${made++}`, type: "message", role: "assistant", model, content: [] };
  const usage = { ...input, output_tokens: 1 };
  const events = [
    event("message_start", {
      message: { ...start, stop_reason: null, stop_sequence: null, usage },
    }),
  ];
  let index = 0;
  const block = (content_block: WireObject, deltas: readonly WireObject[]): void => {
    events.push(event("content_block_start", { index, content_block }));
    for (const delta of deltas) events.push(event("content_block_delta", { index, delta }));
    events.push(event("content_block_stop", { index }));
    index++;
  };
  if (thinking !== "")
    block({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature: `sig${made}`.padEnd(120, "A") },
    ]);
  if (text !== "") block({ type: "text", text: "" }, [{ type: "text_delta", text }]);
  for (const { name, input: given } of calls)
    block({ type: "tool_use", id: `toolu_${made++}`, name, input: {} }, [
      { type: "input_json_delta", partial_json: JSON.stringify(given) },
    ]);
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  events.push(
    event("message_delta", {
      delta: { stop_reason, stop_sequence: null },
      usage: { ...input, output_tokens: billed.output },
    }),
    event("message_stop", {}),
  );
  return events.join("");
}

function event(type: string, members: WireObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** As OpenAI's chat completions. */
export function chatEvents({ model, text, calls }: WireAnswer, billed: BilledTokens): string {
  const common = { id: `chatcmpl-${made++}`, object: "chat.completion.chunk", created: 1, model };
  const chunk = (delta: WireObject, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ ...common, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const prompt = billed.uncached + billed.read + billed.written;
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: billed.output,
    total_tokens: prompt + billed.output,
    prompt_tokens_details: { cached_tokens: billed.read },
  };
  return [
    chunk({ role: "assistant", content: text }),
    ...calls.map(({ name, input }, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${made++}`,
            type: "function",
            function: { name, arguments: JSON.stringify(input) },
          },
        ],
      }),
    ),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    `data: ${JSON.stringify({ ...common, choices: [], usage })}\n\n`,
    "data: [DONE]\n\n",
  ].join("");
}
