/** OpenAI Responses, as a provider writes them. */
import { pieces, usualUsage, type Said, type SaidCall, type Endpoint } from "./said.ts";

type Item = { type: string; id: string };
type Event = { type: string };

export const responses: Endpoint = {
  whole(said, model) {
    return response(model, {
      status: "completed",
      output: items(said).map(({ item }) => item),
      usage: usage(said),
    });
  },
  events(said, model) {
    const list = items(said);
    const begun = response(model, { status: "in_progress", output: [], usage: null });
    const events: Event[] = [
      { type: "response.created", response: begun } as Event,
      { type: "response.in_progress", response: begun } as Event,
      ...list.flatMap(({ item, inner, empty }, index) => [
        { type: "response.output_item.added", output_index: index, item: empty },
        ...inner.map((event) => ({ ...event, output_index: index, item_id: item.id })),
        { type: "response.output_item.done", output_index: index, item },
      ]),
      { type: "response.completed", response: responses.whole(said, model) } as Event,
    ];
    return events.map((event, sequence) => {
      const data = JSON.stringify({ ...event, sequence_number: sequence });
      return `event: ${event.type}\ndata: ${data}\n\n`;
    });
  },
};

interface Written {
  item: Item;
  /** The item as it is added, before its content. */
  empty: object;
  inner: Event[];
}

function items(said: Said): Written[] {
  const list: Written[] = [];
  if (said.thinking) list.push(reasoning(said.thinking));
  if (said.text !== undefined) list.push(message(said.text));
  for (const call of said.calls ?? [])
    list.push(call.custom === true ? customCall(call) : functionCall(call));
  return list;
}

function reasoning({ text, state }: { text: string; state: string }): Written {
  const item = {
    type: "reasoning",
    // Clients keep one item an id.
    id: `rs_${state.replaceAll(/\W/g, "").slice(0, 32)}`,
    summary: [{ type: "summary_text", text }],
    encrypted_content: state,
  };
  const at = { summary_index: 0 };
  return {
    item,
    empty: { ...item, summary: [] },
    inner: [
      {
        type: "response.reasoning_summary_part.added",
        ...at,
        part: { type: "summary_text", text: "" },
      } as Event,
      ...pieces(text).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        ...at,
        delta,
      })),
      { type: "response.reasoning_summary_text.done", ...at, text } as Event,
      {
        type: "response.reasoning_summary_part.done",
        ...at,
        part: { type: "summary_text", text },
      } as Event,
    ],
  };
}

function message(text: string): Written {
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  const item = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [part],
  };
  const at = { content_index: 0 };
  return {
    item,
    empty: { ...item, status: "in_progress", content: [] },
    inner: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } } as Event,
      ...pieces(text).map((delta) => ({
        type: "response.output_text.delta",
        ...at,
        delta,
        logprobs: [],
      })),
      { type: "response.output_text.done", ...at, text, logprobs: [] } as Event,
      { type: "response.content_part.done", ...at, part } as Event,
    ],
  };
}

function functionCall(call: SaidCall): Written {
  const item = {
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
    arguments: call.input,
    status: "completed",
  };
  return {
    item,
    empty: { ...item, arguments: "", status: "in_progress" },
    inner: [
      ...pieces(call.input).map((delta) => ({
        type: "response.function_call_arguments.delta",
        delta,
      })),
      { type: "response.function_call_arguments.done", arguments: call.input } as Event,
    ],
  };
}

function customCall(call: SaidCall): Written {
  const { id, name, input } = call;
  const item = {
    type: "custom_tool_call",
    id: `ctc_${id}`,
    call_id: id,
    name,
    input,
    status: "completed",
  };
  return {
    item,
    empty: { ...item, input: "", status: "in_progress" },
    inner: [
      ...pieces(input).map((delta) => ({ type: "response.custom_tool_call_input.delta", delta })),
      { type: "response.custom_tool_call_input.done", input } as Event,
    ],
  };
}

function response(model: string, more: object): object {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    ...more,
  };
}

function usage(said: Said) {
  const { input, cached, output } = said.usage ?? usualUsage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
