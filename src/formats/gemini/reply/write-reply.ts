/** Writes the whole answer that a Gemini client reads. */
import type { ReplyEcho } from "../../../core/format.ts";
import type { Reply, ReplyBlock } from "../../../core/reply.ts";
import { asNumber, type JsonObject } from "../../../lib/json.ts";
import { inputObject } from "../../../translation/call-inputs.ts";

/** The whole answer. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const { input = 0, output = 0, reasoning = 0 } = reply.usage;
  return {
    candidates: [
      {
        content: { role: "model", parts: reply.blocks.flatMap(writeBlock) },
        finishReason: reply.stop.reason === "length" ? "MAX_TOKENS" : "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      totalTokenCount: asNumber(input + output) ?? 0,
    },
    modelVersion: reply.model ?? echo.model,
    responseId: reply.id ?? echo.newId(""),
  };
}

function writeBlock(block: ReplyBlock): JsonObject[] {
  switch (block.kind) {
    case "text":
    case "refusal":
      return block.text === "" ? [] : [{ text: block.text }];
    case "thinking":
      return block.text === "" ? [] : [{ text: block.text, thought: true }];
    case "call":
      return [{ functionCall: { id: block.id, name: block.name, args: inputObject(block.input) } }];
    case "media":
      return [{ inlineData: { mimeType: block.mime, data: block.data } }];
    case "opaque":
      return [];
    default:
      return block satisfies never;
  }
}
