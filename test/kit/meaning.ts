/** What an answer means, whatever format it went through. */
import type { ClientFormatName } from "../../src/core/format-name.ts";
import type { StopReason } from "../../src/core/events.ts";
import type { Reply, ReplyBlock } from "../../src/core/reply.ts";
import type { Usage } from "../../src/core/usage.ts";

export interface Meaning {
  text: string;
  thinking: string;
  refusal: string;
  calls: unknown[];
  stop: string;
  usage: Usage;
}

export function meaningOf(reply: Reply, client: ClientFormatName): Meaning {
  const meaning = {
    text: said(reply.blocks, "text"),
    thinking: said(reply.blocks, "thinking"),
    refusal: said(reply.blocks, "refusal"),
    calls: reply.blocks.filter((block) => block.kind === "call").map(callMeaning),
    stop: coarse(reply.stop.reason, client),
    usage: withoutZeros(reply.usage),
  };
  return client === "gemini" ? inGemini(meaning, reply) : meaning;
}

/** It has no word for refusals, which are text and a filter, and none for what was written to a cache. */
function inGemini(meaning: Meaning, { blocks }: Reply): Meaning {
  const { cacheWrite: _, cacheWrite1h: __, ...usage } = meaning.usage;
  const words = blocks.filter(({ kind }) => kind === "text" || kind === "refusal");
  const text = words.map((block) => ("text" in block ? block.text : "")).join("");
  const refused = blocks.some(({ kind }) => kind === "refusal") && meaning.stop === "end";
  return { ...meaning, text, refusal: "", stop: refused ? "filter" : meaning.stop, usage };
}

function said(blocks: readonly ReplyBlock[], kind: "text" | "thinking" | "refusal"): string {
  return blocks.map((block) => (block.kind === kind ? block.text : "")).join("");
}

function callMeaning(block: ReplyBlock & { kind: "call" }): unknown {
  const { id, name, namespace, call, input } = block;
  const args: unknown = call === "custom" ? input : JSON.parse(input === "" ? "{}" : input);
  return { id, name, namespace, call, args };
}

/** The reason as the client's format can tell it. */
function coarse(reason: StopReason, client: ClientFormatName): string {
  if (client === "messages") return reason;
  if (reason === "context_full") return "length";
  if (client === "gemini" && reason === "pause") return reason;
  return reason === "stop_sequence" || reason === "pause" ? "end" : reason;
}

/** A count of zero and no count mean the same to a client. */
/** The tier is the provider's own business: what a format writes of it is no part of the meaning. */
function withoutZeros(usage: Usage): Usage {
  const meant = Object.entries(usage).filter(
    ([name, count]) => name !== "serviceTier" && count !== 0,
  );
  return Object.fromEntries(meant);
}

/** Blocks without what belongs to one format only. */
export function plainBlocks(reply: Reply): unknown[] {
  return reply.blocks.map((block) => {
    if (block.kind === "call") return { kind: "call", ...(callMeaning(block) as object) };
    return "text" in block ? { kind: block.kind, text: block.text } : block;
  });
}
