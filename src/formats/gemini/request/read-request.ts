/** A generateContent request -> the neutral request. */
import type { RequestAddress } from "../../../core/format.ts";
import type { Block, ModelRequest } from "../../../core/request.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { checkRequest, modelOf } from "./check.ts";
import { isStreamed } from "./describe.ts";

/** Throws M300 for what is no generateContent request. */
export function readRequest(body: JsonObject, address?: RequestAddress): ModelRequest {
  checkRequest(body, address);
  return {
    format: "gemini",
    model: asString(modelOf(body, address)) ?? "",
    stream: isStreamed(body, address),
    wantsUsage: true,
    messages: asArray(body["contents"]).map((content) => ({
      role: asObject(content)?.["role"] === "model" ? "assistant" : "user",
      blocks: asArray(asObject(content)?.["parts"]).flatMap(readPart),
    })),
    tools: [],
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
  };
}

function readPart(part: unknown): Block[] {
  if (!isObject(part)) return [];
  const { text, functionCall, functionResponse } = part;
  if (typeof text === "string") return [{ kind: "text", text }];
  if (isObject(functionCall))
    return [
      {
        kind: "call",
        id: asString(functionCall["id"]) ?? "",
        name: asString(functionCall["name"]) ?? "",
        call: "function",
        input: JSON.stringify(functionCall["args"] ?? {}),
      },
    ];
  if (isObject(functionResponse))
    return [
      {
        kind: "result",
        id: asString(functionResponse["id"]) ?? "",
        call: "function",
        blocks: [{ kind: "text", text: JSON.stringify(functionResponse["response"] ?? {}) }],
        path: "contents[].parts[]",
      },
    ];
  return [];
}
