/** Short ways to say a neutral request, a target and a context in tests. */
import type { ReadContext, ReplyEcho, ToolNames } from "../../src/core/format.ts";
import type { FormatName } from "../../src/core/format-name.ts";
import { defaultTraits, type Traits, type Target } from "../../src/core/model.ts";
import { noNames } from "../../src/translation/tool-names.ts";
import type { Block, Message, ModelRequest } from "../../src/core/request.ts";

export function turn(members: Partial<ModelRequest> = {}): ModelRequest {
  return {
    format: "chat",
    model: "m",
    stream: false,
    wantsUsage: false,
    messages: [user("hello")],
    tools: [],
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
    ...members,
  };
}

export function user(...said: (string | Block)[]): Message {
  return { role: "user", blocks: said.map(block) };
}

export function assistant(...said: (string | Block)[]): Message {
  return { role: "assistant", blocks: said.map(block) };
}

export function instruction(...said: (string | Block)[]): Message {
  return { role: "instruction", voice: "system", blocks: said.map(block) };
}

export function call(id: string, name: string, input: unknown = {}): Block & { kind: "call" } {
  return { kind: "call", id, name, call: "function", input: JSON.stringify(input) };
}

export function result(id: string, ...said: (string | Block)[]): Block & { kind: "result" } {
  return { kind: "result", id, call: "function", blocks: said.map(block), path: "messages[]" };
}

function block(said: string | Block): Block {
  return typeof said === "string" ? { kind: "text", text: said } : said;
}

export function target(format: FormatName, traits: Partial<Traits> = {}): Target {
  return {
    model: "m",
    connection: "lab",
    format,
    traits: { ...defaultTraits(format), ...traits },
    stream: true,
  };
}

export function context(origin = "lab", names: ToolNames = noNames): ReadContext {
  return { origin, names };
}

/** An echo whose ids count up, so that two runs say the same. */
export function echo(members: Partial<ReplyEcho> = {}): ReplyEcho {
  let count = 0;
  return {
    model: "asked-for",
    wantsUsage: true,
    newId: (prefix) => `${prefix}${String(count++).padStart(24, "0")}`,
    now: 1_700_000_000,
    // Gemini's clients see thoughts only if they ask for them; the other formats know no such member.
    request: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
    ...members,
  };
}
