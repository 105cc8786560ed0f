/** Requests of any size, in shapes that a client may send: what grows, in which order, under which ids. */
import type { ClientFormatName } from "../../src/core/format-name.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { random, type Random } from "../kit/random.ts";
import { wideShapes } from "./wide-requests.ts";

export interface RequestShape {
  readonly name: string;
  readonly format: ClientFormatName;
  /** A request with `count` of what the shape is about. */
  readonly body: (count: number) => JsonObject;
}

/** One step of a conversation. */
const steps = [
  "user",
  "named",
  "text",
  "empty",
  "call",
  "result",
  "custom",
  "customResult",
  "system",
  "thinking",
  "opaque",
  "foreign",
] as const;
type StepKind = (typeof steps)[number];

/** How the calls and results of a phase are named. */
const idRules = ["same", "rising", "falling", "odd"] as const;
type IdRule = (typeof idRules)[number];

interface Phase {
  readonly kind: StepKind;
  readonly ids: IdRule;
  /** Stands once, not as often as the shape is wide. */
  readonly once: boolean;
}

interface Place {
  readonly at: number;
  readonly count: number;
}

function idOf(rule: IdRule, { at, count }: Place): string {
  switch (rule) {
    case "same":
      return "call_same";
    case "rising":
      return `call_${at}`;
    case "falling":
      return `call_${count - 1 - at}`;
    case "odd":
      // Not allowed as it is: it has to be renamed.
      return `call.${at % 7}`;
    default:
      return rule satisfies never;
  }
}

type StepWriter = (kind: StepKind, id: string, at: number) => JsonObject[];

const call = (id: string): JsonObject => ({
  id,
  type: "function",
  function: { name: "look", arguments: '{"at":1}' },
});

const chatStep: StepWriter = (kind, id, at) => {
  switch (kind) {
    case "user":
      return [{ role: "user", content: "go on" }];
    case "named":
      return [{ role: "user", name: `n${at}`, content: "go on" }];
    case "text":
      return [{ role: "assistant", content: "said" }];
    case "empty":
      return [{ role: "assistant", content: "" }];
    case "call":
      return [{ role: "assistant", content: null, tool_calls: [call(id)] }];
    case "result":
      return [{ role: "tool", tool_call_id: id, content: "found" }];
    case "custom":
      return [
        {
          role: "assistant",
          tool_calls: [{ id, type: "custom", custom: { name: "run", input: "x" } }],
        },
      ];
    case "customResult":
      return [{ role: "function", name: "look", content: "found" }];
    case "system":
      return [{ role: "system", content: "be brief" }];
    case "thinking":
      return [{ role: "assistant", reasoning_content: "hm", content: null }];
    case "opaque":
      return [
        { role: "assistant", content: null, reasoning_details: [{ type: "x", data: `d${at}` }] },
      ];
    case "foreign":
      return [{ role: "assistant", function_call: { name: `look${at}`, arguments: "{}" } }];
    default:
      return kind satisfies never;
  }
};

const responsesStep: StepWriter = (kind, id, at) => {
  switch (kind) {
    case "user":
    case "named":
      return [{ role: "user", content: "go on" }];
    case "text":
      return [{ role: "assistant", content: [{ type: "output_text", text: "said" }] }];
    case "empty":
      return [{ role: "assistant", content: [] }];
    case "call":
      return [{ type: "function_call", call_id: id, name: "look", arguments: '{"at":1}' }];
    case "result":
      return [{ type: "function_call_output", call_id: id, output: "found" }];
    case "custom":
      return [{ type: "custom_tool_call", call_id: id, name: "run", input: "x" }];
    case "customResult":
      return [{ type: "custom_tool_call_output", call_id: id, output: "found" }];
    case "system":
      return [{ role: "system", content: "be brief" }];
    case "thinking":
      return [{ type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: `e${at}` }];
    case "opaque":
      return [{ type: "web_search_call", id: `ws_${at}`, status: "completed" }];
    case "foreign":
      return [
        {
          type: "local_shell_call",
          call_id: id,
          action: { type: "exec", command: ["ls"], env: {} },
          status: "completed",
        },
      ];
    default:
      return kind satisfies never;
  }
};

const messagesStep: StepWriter = (kind, id, at) => {
  switch (kind) {
    case "user":
    case "named":
      return [{ role: "user", content: "go on" }];
    case "text":
      return [{ role: "assistant", content: [{ type: "text", text: "said" }] }];
    case "empty":
      return [{ role: "assistant", content: [] }];
    case "call":
      return [
        { role: "assistant", content: [{ type: "tool_use", id, name: "look", input: { at: 1 } }] },
      ];
    case "result":
      return [
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "found" }] },
      ];
    case "custom":
      return [
        {
          role: "assistant",
          content: [
            { type: "text", text: "so" },
            { type: "tool_use", id, name: `look${at}`, input: {} },
          ],
        },
      ];
    case "customResult":
      return [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: id, is_error: true },
            { type: "text", text: "and" },
          ],
        },
      ];
    case "system":
      return [{ role: "system", content: "be brief" }];
    case "thinking":
      return [
        { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: `s${at}` }] },
      ];
    case "opaque":
      return [
        {
          role: "assistant",
          content: [{ type: "server_tool_use", id: `srv_${at}`, name: "web_search", input: {} }],
        },
      ];
    case "foreign":
      return [
        {
          role: "user",
          content: [
            { type: "text", text: "kept", cache_control: { type: "ephemeral", ttl: "1h" } },
          ],
        },
      ];
    default:
      return kind satisfies never;
  }
};

const geminiStep: StepWriter = (kind, id, at) => {
  const model = (...parts: JsonObject[]): JsonObject[] => [{ role: "model", parts }];
  const user = (...parts: JsonObject[]): JsonObject[] => [{ role: "user", parts }];
  switch (kind) {
    case "user":
      return user({ text: "go on" });
    case "named":
      return [{ parts: [{ text: "go on" }] }];
    case "text":
      return model({ text: "said" });
    case "empty":
      return model();
    case "call":
      return model({ functionCall: { id, name: "look", args: { at: 1 } } });
    case "result":
      return user({ functionResponse: { id, name: "look", response: { output: "found" } } });
    case "custom":
      return model({ text: "so" }, { functionCall: { name: "look", args: {} } });
    case "customResult":
      return user(
        { functionResponse: { name: "look", response: { error: "none" } } },
        { text: "and" },
      );
    case "system":
      return [{ role: "function", parts: [{ text: "be brief" }] }];
    case "thinking":
      return model({ text: "hm", thought: true, thoughtSignature: `s${at}` });
    case "opaque":
      return model({ executableCode: { language: "PYTHON", code: `print(${at})` } });
    case "foreign":
      return user({ text: "kept", partMetadata: { at } });
    default:
      return kind satisfies never;
  }
};

const writers: Readonly<Record<ClientFormatName, StepWriter>> = {
  chat: chatStep,
  responses: responsesStep,
  messages: messagesStep,
  gemini: geminiStep,
};

/** The least request of a format with this conversation. */
export function requestWith(format: ClientFormatName, conversation: JsonObject[]): JsonObject {
  switch (format) {
    case "chat":
      return { model: "auto", messages: conversation };
    case "responses":
      return { model: "auto", input: conversation };
    case "messages":
      return { model: "auto", max_tokens: 100, messages: conversation };
    case "gemini":
      return { model: "auto", contents: conversation };
    default:
      return format satisfies never;
  }
}

function repeated(phase: Phase, write: StepWriter, count: number): JsonObject[] {
  const times = phase.once ? 1 : count;
  return Array.from({ length: times }, (_, at) =>
    write(phase.kind, idOf(phase.ids, { at, count }), at),
  ).flat();
}

/** Each phase as a block of its own, one after another. */
function inBlocks(phases: readonly Phase[], write: StepWriter, count: number): JsonObject[] {
  return phases.flatMap((phase) => repeated(phase, write, count));
}

/** All phases in turn, again and again. */
function inTurns(phases: readonly Phase[], write: StepWriter, count: number): JsonObject[] {
  return Array.from({ length: count }, (_, at) =>
    phases.flatMap(({ kind, ids }) => write(kind, idOf(ids, { at, count }), at)),
  ).flat();
}

function phaseName({ kind, ids, once }: Phase): string {
  const named = /call|result|custom|foreign/i.test(kind) ? `(${ids})` : "";
  return `${kind}${named}${once ? "" : "*"}`;
}

/** A conversation that this seed picks: up to four phases, in blocks or in turns. */
export function conversationShape(format: ClientFormatName, seed: number): RequestShape {
  const rng = random(seed);
  const phases = rng.list(1, 4, () => anyPhase(rng));
  const turns = rng.chance(0.35);
  const arrange = turns ? inTurns : inBlocks;
  const name = phases.map(phaseName).join(turns ? " & " : ", ");
  return {
    name: `${format}: ${turns ? `(${name})*` : name}`,
    format,
    body: (count) => requestWith(format, arrange(phases, writers[format], count)),
  };
}

function anyPhase(rng: Random): Phase {
  return { kind: rng.pick(steps), ids: rng.pick(idRules), once: rng.chance(0.25) };
}

/** Shapes that were found to be expensive once. */
export function knownShapes(format: ClientFormatName): RequestShape[] {
  const phase = (kind: StepKind, ids: IdRule = "same", once = false): Phase => ({
    kind,
    ids,
    once,
  });
  const lists: Phase[][] = [
    [phase("call"), phase("user", "same", true), phase("result")],
    [phase("call", "rising"), phase("user", "same", true), phase("result", "falling")],
    [phase("result")],
    [phase("result", "rising")],
    [phase("opaque"), phase("empty")],
    [phase("user", "same", true), phase("opaque"), phase("empty")],
    [phase("thinking"), phase("empty"), phase("call", "odd"), phase("result", "odd")],
  ];
  return lists.map((phases) => ({
    name: `${format}: ${phases.map(phaseName).join(", ")}`,
    format,
    body: (count) => requestWith(format, inBlocks(phases, writers[format], count)),
  }));
}

/** Shapes of which one member is wide, deep or long. */
export function wideRequestShapes(format: ClientFormatName): RequestShape[] {
  return Object.entries(wideShapes[format]).map(([name, body]) => ({
    name: `${format}: ${name}`,
    format,
    body,
  }));
}
