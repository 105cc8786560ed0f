/** Reads a chat body as far as routing needs it, without the checks of the gateway. */
import type { Block, Message, Tool, ModelRequest } from "../../src/core/request.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { asArray, asObject, asString } from "../../src/lib/json.ts";

/** The request of a chat body: its messages and tool names. */
export function chatRequest(body: JsonObject): ModelRequest {
  return {
    format: "chat",
    model: asString(body["model"]) ?? "auto",
    stream: false,
    wantsUsage: false,
    messages: asArray(body["messages"]).flatMap((message) => readMessage(asObject(message) ?? {})),
    tools: asArray(body["tools"]).map((tool) => readTool(asObject(tool) ?? {})),
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
  };
}

function readMessage(message: JsonObject): Message[] {
  const content = message["content"];
  const blocks =
    typeof content === "string" ? [textBlock(content)] : asArray(content).flatMap(readPart);
  switch (message["role"]) {
    case "system":
    case "developer":
      return [{ role: "instruction", blocks }];
    case "tool":
      return [{ role: "user", blocks: [resultBlock(message, blocks)] }];
    case "assistant":
      return [
        { role: "assistant", blocks: [...blocks, ...asArray(message["tool_calls"]).map(readCall)] },
      ];
    default:
      return [{ role: "user", blocks }];
  }
}

function resultBlock(message: JsonObject, blocks: Block[]): Block {
  const id = asString(message["tool_call_id"]) ?? "";
  return { kind: "result", id, call: "function", blocks, path: "" };
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
  return {
    kind: "call",
    id: asString(asObject(call)?.["id"]) ?? "",
    name: asString(fn?.["name"]) ?? "",
    call: "function",
    input: asString(fn?.["arguments"]) ?? "",
  };
}

function readTool(tool: JsonObject): Tool {
  const fn = asObject(tool["function"]) ?? {};
  return { kind: "function", name: asString(fn["name"]) ?? "", path: "tools[]" };
}
