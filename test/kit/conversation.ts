/** Random conversations, as each kind of client writes them. Nothing of the product is used. */
import type { ClientFormatName } from "../../src/core/format-name.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { anyObject, anyText } from "./generate.ts";
import type { Random } from "./random.ts";

export interface AskedCall {
  id: string;
  name: string;
  args: JsonObject;
}

export interface AskedResult {
  id: string;
  text: string;
  error: boolean;
  /** Base64 of a picture in the result. */
  image?: string;
}

export type Step =
  | { who: "system"; text: string }
  | { who: "user"; text: string; image?: string }
  | { who: "assistant"; text: string; calls: AskedCall[] }
  | { who: "results"; results: AskedResult[] };

export interface Conversation {
  steps: Step[];
  tools: { name: string; description: string; schema: JsonObject }[];
  choice?: "auto" | "none" | "required" | { name: string };
  parallel?: boolean;
  max: number;
  temperature?: number;
  topP?: number;
  stop: string[];
}

const toolNames = ["read_file", "search-web", "mcp__tracker__list_issues", "Bash"] as const;

/** A conversation as a careful client holds it. */
export function tame(rng: Random): Conversation {
  const steps: Step[] = rng.chance(0.7) ? [{ who: "system", text: anyText(rng) }] : [];
  steps.push(userStep(rng));
  let calls = 0;
  for (let turns = rng.int(0, 4); turns > 0; turns--) {
    const made = rng.list(0, 3, () => anyCall(rng, `call_${calls++}`));
    steps.push({
      who: "assistant",
      text: made.length > 0 && rng.chance(0.5) ? "" : anyText(rng),
      calls: made,
    });
    if (made.length > 0)
      steps.push({ who: "results", results: made.map((call) => resultOf(rng, call.id)) });
    if (made.length === 0 || rng.chance(0.3)) steps.push(userStep(rng));
  }
  return { steps, ...settings(rng) };
}

/** A conversation as clients hold it after edits, aborts and bugs. */
export function wild(rng: Random): Conversation {
  const base = tame(rng);
  const steps = base.steps.flatMap((step): Step[] => {
    const roll = rng.int(0, 11);
    if (roll === 0) return [];
    if (roll === 1) return [step, step];
    if (roll === 2) return [step, { who: "system", text: anyText(rng) }];
    if (roll === 3) return [{ who: "assistant", text: anyText(rng), calls: [] }, step];
    if (roll === 4)
      return [step, { who: "results", results: [resultOf(rng, `lost_${rng.int(0, 9)}`)] }];
    if (roll === 5) return [step, { who: "user", text: "" }];
    if (roll === 6 && step.who === "results")
      return step.results.toReversed().map((one) => ({ who: "results", results: [one] }));
    if (roll === 7 && step.who === "assistant")
      return [{ ...step, calls: [...step.calls, anyCall(rng, "call_0")] }];
    return [step];
  });
  // Instructions alone are no conversation in every format.
  const spoken = steps.some((step) => step.who !== "system");
  return { ...base, steps: spoken ? steps : [...steps, { who: "user", text: "x" }] };
}

function userStep(rng: Random): Step {
  return { who: "user", text: anyText(rng), ...(rng.chance(0.2) && { image: picture(rng) }) };
}

function anyCall(rng: Random, id: string): AskedCall {
  return { id, name: rng.pick(toolNames), args: anyObject(rng) };
}

function resultOf(rng: Random, id: string): AskedResult {
  const text = rng.chance(0.2) ? JSON.stringify(anyObject(rng)) : anyText(rng);
  return { id, text, error: rng.chance(0.2), ...(rng.chance(0.1) && { image: picture(rng) }) };
}

function picture(rng: Random): string {
  return btoa(`picture ${rng.int(0, 1e6)}`);
}

function settings(rng: Random): Omit<Conversation, "steps"> {
  const tools = toolNames.map((name) => ({
    name,
    description: anyText(rng),
    schema: anySchema(rng),
  }));
  const choice = rng.pick<Conversation["choice"]>([
    "auto",
    "none",
    "required",
    { name: "Bash" },
    undefined,
  ]);
  return {
    tools,
    ...(choice !== undefined && { choice }),
    ...(rng.chance(0.2) && { parallel: false }),
    max: rng.int(16, 5000),
    ...(rng.chance(0.3) && { temperature: rng.int(0, 10) / 10 }),
    ...(rng.chance(0.3) && { topP: rng.int(1, 10) / 10 }),
    stop: rng.list(0, 2, (index) => `STOP${index}`),
  };
}

function anySchema(rng: Random): JsonObject {
  const names = rng.list(0, 3, (index) => `field${index}`);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        { type: rng.pick(["string", "integer", "boolean"]), description: name },
      ]),
    ),
    required: names.slice(0, 1),
    additionalProperties: false,
  };
}

/** The request as a client of this format sends it. */
export function clientBody(format: ClientFormatName, asked: Conversation): JsonObject {
  const { temperature, topP } = asked;
  if (format === "gemini") return { model: "m", ...bodies.gemini(asked) };
  const sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
  return { model: "m", ...bodies[format](asked), ...sampling };
}

const bodies: Record<ClientFormatName, (asked: Conversation) => JsonObject> = {
  chat: chatBody,
  responses: responsesBody,
  messages: messagesBody,
  gemini: geminiBody,
};

function chatBody(asked: Conversation): JsonObject {
  const { choice } = asked;
  return {
    messages: asked.steps.flatMap(chatMessages),
    tools: asked.tools.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
    ...(choice !== undefined && {
      tool_choice: typeof choice === "string" ? choice : { type: "function", function: choice },
    }),
    ...(asked.parallel === false && { parallel_tool_calls: false }),
    max_completion_tokens: asked.max,
    ...(asked.stop.length > 0 && { stop: asked.stop }),
  };
}

function chatMessages(step: Step): JsonObject[] {
  switch (step.who) {
    case "system":
      return [{ role: "system", content: step.text }];
    case "user": {
      const image =
        step.image === undefined
          ? []
          : [{ type: "image_url", image_url: { url: `data:image/png;base64,${step.image}` } }];
      return [
        {
          role: "user",
          content: image.length === 0 ? step.text : [{ type: "text", text: step.text }, ...image],
        },
      ];
    }
    case "assistant": {
      const calls = step.calls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      }));
      return [
        {
          role: "assistant",
          content: step.text === "" ? null : step.text,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ];
    }
    case "results":
      return step.results.map(({ id, text }) => ({
        role: "tool",
        tool_call_id: id,
        content: text,
      }));
    default:
      return step satisfies never;
  }
}

function responsesBody(asked: Conversation): JsonObject {
  const { choice } = asked;
  return {
    input: asked.steps.flatMap(responsesItems),
    tools: asked.tools.map(({ name, description, schema }) => ({
      type: "function",
      name,
      description,
      parameters: schema,
      strict: false,
    })),
    ...(choice !== undefined && {
      tool_choice: typeof choice === "string" ? choice : { type: "function", ...choice },
    }),
    ...(asked.parallel === false && { parallel_tool_calls: false }),
    max_output_tokens: asked.max,
    store: false,
  };
}

function responsesItems(step: Step): JsonObject[] {
  const image = (data: string): JsonObject => ({
    type: "input_image",
    image_url: `data:image/png;base64,${data}`,
    detail: "auto",
  });
  switch (step.who) {
    case "system":
      return [{ role: "developer", content: step.text }];
    case "user":
      return [
        {
          role: "user",
          content: [
            { type: "input_text", text: step.text },
            ...(step.image === undefined ? [] : [image(step.image)]),
          ],
        },
      ];
    case "assistant":
      return [
        ...(step.text === ""
          ? []
          : [
              {
                type: "message",
                role: "assistant",
                content: [{ type: "output_text", text: step.text, annotations: [] }],
              },
            ]),
        ...step.calls.map(({ id, name, args }) => ({
          type: "function_call",
          call_id: id,
          name,
          arguments: JSON.stringify(args),
        })),
      ];
    case "results":
      return step.results.map(({ id, text, image: data }) => ({
        type: "function_call_output",
        call_id: id,
        output: data === undefined ? text : [{ type: "input_text", text }, image(data)],
      }));
    default:
      return step satisfies never;
  }
}

function messagesBody(asked: Conversation): JsonObject {
  const { choice } = asked;
  const [first, ...rest] = asked.steps;
  const named =
    typeof choice === "object"
      ? { type: "tool", ...choice }
      : { type: choice === "required" ? "any" : choice };
  const serial = asked.parallel === false &&
    choice !== "none" && { disable_parallel_tool_use: true };
  return {
    ...(first?.who === "system" && { system: first.text }),
    messages: (first?.who === "system" ? rest : asked.steps).map(messagesMessage),
    tools: asked.tools.map(({ name, description, schema }) => ({
      name,
      description,
      input_schema: schema,
    })),
    ...(choice !== undefined && { tool_choice: { ...named, ...serial } }),
    max_tokens: asked.max,
    ...(asked.stop.length > 0 && { stop_sequences: asked.stop }),
  };
}

function messagesMessage(step: Step): JsonObject {
  const image = (data: string): JsonObject => ({
    type: "image",
    source: { type: "base64", media_type: "image/png", data },
  });
  switch (step.who) {
    case "system":
      return { role: "system", content: step.text };
    case "user":
      return {
        role: "user",
        content:
          step.image === undefined
            ? step.text
            : [{ type: "text", text: step.text }, image(step.image)],
      };
    case "assistant": {
      const text = step.text === "" ? [] : [{ type: "text", text: step.text }];
      return {
        role: "assistant",
        content: [
          ...text,
          ...step.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
        ],
      };
    }
    case "results":
      return {
        role: "user",
        content: step.results.map(({ id, text, error, image: data }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: data === undefined ? text : [{ type: "text", text }, image(data)],
          ...(error && { is_error: true }),
        })),
      };
    default:
      return step satisfies never;
  }
}

function geminiBody(asked: Conversation): JsonObject {
  const { choice, temperature, topP } = asked;
  const [first, ...rest] = asked.steps;
  const calling =
    typeof choice === "object"
      ? { mode: "ANY", allowedFunctionNames: [choice.name] }
      : { mode: choice === "required" ? "ANY" : choice?.toUpperCase() };
  const names = new Map<string, string>();
  for (const step of asked.steps)
    if (step.who === "assistant") for (const { id, name } of step.calls) names.set(id, name);
  return {
    ...(first?.who === "system" && { systemInstruction: { parts: [{ text: first.text }] } }),
    contents: (first?.who === "system" ? rest : asked.steps).map((step) =>
      geminiContent(step, names),
    ),
    tools: [
      {
        functionDeclarations: asked.tools.map(({ name, description, schema }) => ({
          name,
          description,
          parametersJsonSchema: schema,
        })),
      },
    ],
    ...(choice !== undefined && { toolConfig: { functionCallingConfig: calling } }),
    generationConfig: {
      maxOutputTokens: asked.max,
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
      ...(asked.stop.length > 0 && { stopSequences: asked.stop }),
    },
  };
}

function geminiContent(step: Step, names: ReadonlyMap<string, string>): JsonObject {
  const image = (data: string): JsonObject => ({ inlineData: { mimeType: "image/png", data } });
  switch (step.who) {
    case "system":
      return { role: "user", parts: [{ text: step.text }] };
    case "user":
      return {
        role: "user",
        parts: [{ text: step.text }, ...(step.image === undefined ? [] : [image(step.image)])],
      };
    case "assistant":
      return {
        role: "model",
        parts: [
          ...(step.text === "" ? [] : [{ text: step.text }]),
          ...step.calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
        ],
      };
    case "results":
      return {
        role: "user",
        parts: step.results.map(({ id, text, error, image: data }) => ({
          functionResponse: {
            id,
            name: names.get(id) ?? "gone",
            response: { [error ? "error" : "output"]: text },
            ...(data !== undefined && { parts: [image(data)] }),
          },
        })),
      };
    default:
      return step satisfies never;
  }
}
