/** Labelled records for training and evaluating the router: reading them, and turning them into bins. */
import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "../src/lib/json.ts";
import { asArray, asObject, asString } from "../src/lib/json.ts";
import type { Block, Message, Tool, Turn } from "../src/core/turn.ts";
import { clientOf } from "../src/routing/clients.ts";
import { tiers } from "../src/routing/decision.ts";
import type { TierName } from "../src/routing/decision.ts";
import { signalsOf } from "../src/routing/signals.ts";
import type { Signals } from "../src/routing/features.ts";
import { viewOf } from "../src/routing/view.ts";

export interface LabelledRecord {
  id: string;
  source: string;
  lang: string;
  request: JsonObject;
  tier?: TierName;
  weak?: number;
  strong?: number;
  cost_weak?: number;
  cost_strong?: number;
  pair?: string;
}

/** Records of a JSON lines file. */
export function readRecords(file: string): LabelledRecord[] {
  const lines = readFileSync(file, "utf8").split("\n").filter((line) => line.trim() !== "");
  // The training file is the caller's own; its shape is checked where members are used.
  return lines.map((line) => JSON.parse(line) as LabelledRecord);
}

const tierIndexes = new Map<string, number>(tiers.map((name, index) => [name, index]));

export function tierIndex(name: string | undefined): number | undefined {
  return name === undefined ? undefined : tierIndexes.get(name);
}

/** A chat body as a turn: what scoring reads of it. */
export function chatTurn(body: JsonObject): Turn {
  return {
    format: "chat",
    model: asString(body["model"]) ?? "auto",
    stream: false,
    wantsUsage: false,
    messages: asArray(body["messages"]).flatMap((message) => readMessage(asObject(message) ?? {})),
    tools: asArray(body["tools"]).map((tool) => readTool(asObject(tool) ?? {})),
    stop: [],
    sampling: {},
    unsaid: [],
    paths: {},
    openaiOnly: {},
  };
}

function readMessage(message: JsonObject): Message[] {
  const content = message["content"];
  const blocks = typeof content === "string" ? [textBlock(content)] : asArray(content).flatMap(readPart);
  switch (message["role"]) {
    case "system":
    case "developer":
      return [{ role: "instruction", blocks }];
    case "tool":
      return [{ role: "user", blocks: [{ kind: "result", id: asString(message["tool_call_id"]) ?? "", call: "function", blocks, path: "" }] }];
    case "assistant":
      return [{ role: "assistant", blocks: [...blocks, ...asArray(message["tool_calls"]).map(readCall)] }];
    default:
      return [{ role: "user", blocks }];
  }
}

function textBlock(text: string): Block {
  return { kind: "text", text };
}

function readPart(part: JsonValue): Block[] {
  const text = asString(asObject(part)?.["text"]);
  return text === undefined ? [] : [textBlock(text)];
}

function readCall(call: JsonValue): Block {
  const fn = asObject(asObject(call)?.["function"]);
  return { kind: "call", id: asString(asObject(call)?.["id"]) ?? "", name: asString(fn?.["name"]) ?? "", call: "function", input: asString(fn?.["arguments"]) ?? "" };
}

function readTool(tool: JsonObject): Tool {
  const fn = asObject(tool["function"]) ?? {};
  return { kind: "function", name: asString(fn["name"]) ?? "", path: "tools[]" };
}

const noHeaders = { get: () => null };

/** The signals that the scorer sees for a chat body from no known client. */
export function signalsOfBody(body: JsonObject): Signals {
  const turn = chatTurn(body);
  return signalsOf(viewOf(turn), clientOf({ headers: noHeaders, turn }));
}
