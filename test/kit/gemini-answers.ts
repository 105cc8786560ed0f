/** Answers of Gemini as the provider writes them, from neutral ones: the direction that the product does not have. */
import type { StopReason } from "../../src/core/events.ts";
import type { Reply, ReplyBlock } from "../../src/core/reply.ts";
import type { Usage } from "../../src/core/usage.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import type { Random } from "./random.ts";

/** The whole answer. */
export function geminiBody(reply: Reply): JsonObject {
  return {
    candidates: [
      {
        content: { role: "model", parts: parts(reply.blocks) },
        finishReason: finish(reply.stop.reason),
        index: 0,
      },
    ],
    usageMetadata: counts(reply.usage),
    modelVersion: reply.model ?? "gemini-x",
    responseId: reply.id ?? "resp-1",
  };
}

/** The answer as a stream: texts in pieces, calls whole, counts growing, the reason on the last chunk or behind it. */
export function geminiStream(reply: Reply, rng: Random): string {
  const pieces = parts(reply.blocks).flatMap((part) => inPieces(part, rng));
  if (pieces.length === 0 || rng.chance(0.5)) pieces.push({ text: "" });
  const lines = pieces.map((part, index) => {
    const last = index === pieces.length - 1;
    return JSON.stringify({
      candidates: [
        {
          content: { role: "model", parts: [part] },
          index: 0,
          ...(last && { finishReason: finish(reply.stop.reason) }),
        },
      ],
      usageMetadata: last
        ? counts(reply.usage)
        : { promptTokenCount: reply.usage.input ?? 0, totalTokenCount: reply.usage.input ?? 0 },
      modelVersion: reply.model ?? "gemini-x",
      responseId: reply.id ?? "resp-1",
    });
  });
  return lines.map((line) => `data: ${line}\r\n\r\n`).join("");
}

function inPieces(part: JsonObject, rng: Random): JsonObject[] {
  const { text } = part;
  if (typeof text !== "string" || text.length < 2 || rng.chance(0.4)) return [part];
  const letters = [...text];
  const at = rng.int(1, Math.max(1, letters.length - 1));
  const { thoughtSignature: _, ...rest } = part;
  return [
    { ...part, text: letters.slice(0, at).join("") },
    { ...rest, text: letters.slice(at).join("") },
  ];
}

function parts(blocks: readonly ReplyBlock[]): JsonObject[] {
  const list: JsonObject[] = [];
  let signature: string | undefined;
  for (const block of blocks) {
    if (block.kind === "thinking") {
      if (block.text !== "") list.push({ text: block.text, thought: true });
      signature = block.state?.data;
    } else if (block.kind === "text") {
      list.push({
        text: block.text,
        ...(signature !== undefined && { thoughtSignature: signature }),
      });
      signature = undefined;
    } else if (block.kind === "call") {
      const own = block.state?.data ?? signature;
      signature = undefined;
      const args: unknown =
        block.call === "custom" ? { input: block.input } : JSON.parse(block.input);
      list.push({
        functionCall: { id: block.id, name: block.name, args: args as JsonObject },
        ...(own !== undefined && { thoughtSignature: own }),
      });
    }
  }
  if (signature !== undefined) list.push({ text: "", thoughtSignature: signature });
  return list;
}

function finish(reason: StopReason): string {
  switch (reason) {
    case "length":
    case "context_full":
      return "MAX_TOKENS";
    case "filter":
      return "SAFETY";
    case "error":
      return "OTHER";
    default:
      return "STOP";
  }
}

function counts(usage: Usage): JsonObject {
  const { input = 0, output = 0, cacheRead, reasoning } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - (reasoning ?? 0),
    totalTokenCount: input + output,
    ...(reasoning !== undefined && { thoughtsTokenCount: reasoning }),
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
  };
}
