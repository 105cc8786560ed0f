/** OpenAI chat completions, as a provider writes them. */
import { pieces, usualUsage, type Said, type Endpoint } from "./said.ts";

export const chat: Endpoint = {
  whole(said, model) {
    const message = {
      role: "assistant",
      content: said.text ?? null,
      ...(said.thinking && { reasoning_content: said.thinking.text }),
      ...(said.calls && {
        tool_calls: said.calls.map((call) => ({ ...toolCall(call), type: "function" })),
      }),
    };
    const choice = { index: 0, message, finish_reason: finish(said), logprobs: null };
    return {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model,
      choices: [choice],
      usage: usage(said),
    };
  },
  events(said, model) {
    const chunk = (delta: object, reason: string | null = null) =>
      line({
        ...head(model),
        choices: [{ index: 0, delta, finish_reason: reason, logprobs: null }],
      });
    const deltas: object[] = [{ role: "assistant", content: "" }];
    for (const text of pieces(said.thinking?.text ?? "")) deltas.push({ reasoning_content: text });
    for (const text of pieces(said.text ?? "")) deltas.push({ content: text });
    for (const [index, call] of (said.calls ?? []).entries()) {
      const { id, function: named } = toolCall(call);
      const first = { index, id, type: "function", function: { name: named.name, arguments: "" } };
      deltas.push({ tool_calls: [first] });
      for (const part of pieces(call.input))
        deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
    }
    return [
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, finish(said)),
      line({ ...head(model), choices: [], usage: usage(said) }),
      "data: [DONE]\n\n",
    ];
  },
};

function head(model: string) {
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
}

function line(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function toolCall(call: { id: string; name: string; input: string }) {
  return { id: call.id, function: { name: call.name, arguments: call.input } };
}

function finish(said: Said): string {
  return said.calls ? "tool_calls" : "stop";
}

function usage(said: Said) {
  const { input, cached, output } = said.usage ?? usualUsage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
