/** Random neutral answers within what given formats can say. */
import type { FormatName } from "../../src/core/format-name.ts";
import type { StopReason } from "../../src/core/events.ts";
import type { Reply, ReplyBlock } from "../../src/core/reply.ts";
import type { Usage } from "../../src/core/usage.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import type { Random } from "./random.ts";

/** What a format has words for in an answer. */
export interface Speech {
  /** Blocks of all kinds in any order; else one of each kind before the calls. */
  freeOrder: boolean;
  custom: boolean;
  namespaces: boolean;
  refusal: boolean;
  /** Tokens written to the provider's cache are counted. */
  cacheWrite: boolean;
  stops: readonly [StopReason, ...StopReason[]];
}

export const speech: Record<FormatName, Speech> = {
  chat: {
    freeOrder: false,
    custom: true,
    namespaces: false,
    refusal: true,
    cacheWrite: true,
    stops: ["end", "length", "filter"],
  },
  responses: {
    freeOrder: true,
    custom: true,
    namespaces: true,
    refusal: true,
    cacheWrite: true,
    stops: ["end", "length", "filter"],
  },
  messages: {
    freeOrder: true,
    custom: false,
    namespaces: false,
    refusal: false,
    cacheWrite: true,
    stops: ["end", "length", "filter", "context_full", "stop_sequence", "pause"],
  },
  gemini: {
    freeOrder: true,
    custom: false,
    namespaces: false,
    refusal: false,
    cacheWrite: false,
    stops: ["end", "length", "filter"],
  },
};

/** What both can say. */
export function common(one: Speech, other: Speech): Speech {
  const shared = one.stops.filter((stop) => other.stops.includes(stop));
  const [first = "end", ...rest] = shared;
  return {
    freeOrder: one.freeOrder && other.freeOrder,
    custom: one.custom && other.custom,
    namespaces: one.namespaces && other.namespaces,
    refusal: one.refusal && other.refusal,
    cacheWrite: one.cacheWrite && other.cacheWrite,
    stops: [first, ...rest],
  };
}

/** Reasons that calls take the place of: the answer goes on once they are done. */
const goesOn: ReadonlySet<StopReason> = new Set(["end", "stop_sequence", "pause"]);

export function anyReply(rng: Random, can: Speech): Reply {
  const blocks = can.freeOrder ? freeBlocks(rng, can) : orderedBlocks(rng, can);
  const calls = blocks.some((block) => block.kind === "call");
  const stop = rng.chance(0.7) ? "end" : rng.pick(can.stops);
  return {
    id: `id${rng.int(0, 1e9).toString(36)}`,
    model: "model-x",
    created: 1_700_000_000,
    blocks,
    usage: anyUsage(rng, can),
    stop: { reason: calls && goesOn.has(stop) ? "tools" : stop },
  };
}

function orderedBlocks(rng: Random, can: Speech): ReplyBlock[] {
  const blocks: ReplyBlock[] = [];
  if (rng.chance(0.4)) blocks.push({ kind: "thinking", text: anyText(rng) });
  if (can.refusal && rng.chance(0.1)) blocks.push({ kind: "refusal", text: anyText(rng) });
  else if (rng.chance(0.7)) blocks.push({ kind: "text", text: anyText(rng), citations: [] });
  return [...blocks, ...rng.list(0, 3, (index) => anyCall(rng, can, index))];
}

function freeBlocks(rng: Random, can: Speech): ReplyBlock[] {
  const blocks: ReplyBlock[] = [];
  let calls = 0;
  for (let left = rng.int(0, 5); left > 0; left--) {
    const last = blocks.at(-1)?.kind;
    const kind = rng.pick(["text", "thinking", "call", "call"]);
    if (kind === "call") blocks.push(anyCall(rng, can, calls++));
    else if (kind !== last) {
      const text = anyText(rng);
      blocks.push(kind === "text" ? { kind, text, citations: [] } : { kind: "thinking", text });
    }
  }
  return blocks;
}

function anyCall(rng: Random, can: Speech, index: number): ReplyBlock & { kind: "call" } {
  const custom = can.custom && rng.chance(0.2);
  return {
    kind: "call",
    id: `call_${rng.int(0, 1e9).toString(36)}_${index}`,
    name:
      rng.pick(["read", "write_file", "mcp__github__search-issues", "a"]) + (custom ? "_raw" : ""),
    ...(can.namespaces && !custom && rng.chance(0.2) && { namespace: "agents" }),
    call: custom ? "custom" : "function",
    input: custom ? anyText(rng) : JSON.stringify(anyObject(rng)),
  };
}

function anyUsage(rng: Random, can: Speech): Usage {
  const cacheRead = rng.int(0, 500);
  const cacheWrite = can.cacheWrite && rng.chance(0.3) ? rng.int(1, 300) : 0;
  const reasoning = rng.int(0, 200);
  return {
    input: cacheRead + cacheWrite + rng.int(1, 1000),
    ...(cacheRead > 0 && { cacheRead }),
    ...(cacheWrite > 0 && { cacheWrite }),
    output: reasoning + rng.int(1, 1000),
    ...(reasoning > 0 && { reasoning }),
  };
}

const morsels = [
  "plain words ",
  "Zürich, 東京 и Москва ",
  "👩‍👩‍👧 🏔️ ",
  "line\nline\r\n\ttab ",
  "quotes \" \\ / ' ",
  "\u2028\u2029\u0085 ",
  "data: [DONE]\n\nevent: error\n",
  '{"json": [1, 2]} ',
  "<think>not thinking</think> ",
  "\u0000\u0001\u007F ",
  "e\u0301 \uFEFF ",
] as const;

/** Never empty and never only white space. */
export function anyText(rng: Random): string {
  return `${rng.list(0, 4, () => rng.pick(morsels)).join("")}x${rng.int(0, 99)}`;
}

export function anyObject(rng: Random, depth = 0): JsonObject {
  const entries = rng.list(0, 3, (index): [string, JsonValue] => [
    `k${index}`,
    anyValue(rng, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function anyValue(rng: Random, depth: number): JsonValue {
  const roll = rng.int(0, depth > 2 ? 3 : 5);
  if (roll === 0) return rng.int(-1000, 1000);
  if (roll === 1) return rng.chance(0.5);
  if (roll === 2) return null;
  if (roll === 3) return anyText(rng);
  return roll === 4 ? anyObject(rng, depth) : rng.list(0, 2, () => anyValue(rng, depth + 1));
}
