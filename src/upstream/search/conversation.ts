/** A conversation in which the gateway answers the searches of a model, turn by turn. Pure. */
import type { ReplyEvent, Stop } from "../../core/events.ts";
import type { Reply, ReplyBlock } from "../../core/reply.ts";
import type { Block, Message, ModelRequest } from "../../core/request.ts";
import type { TokenCounts, Usage } from "../../core/usage.ts";
import type { WebSource } from "../../core/web-search.ts";
import type { Findings } from "./searching.ts";
import type { WantedSearch } from "./turn.ts";

/** A search with what came of it. */
export interface DoneSearch extends WantedSearch {
  readonly findings: Findings;
}

/** The request with the model's turn and the results of its searches. `sources`: how many were told before. */
export function continued(
  request: ModelRequest,
  turn: Pick<Reply, "blocks">,
  { searches, sources }: { searches: readonly DoneSearch[]; sources: number },
): ModelRequest {
  let known = sources;
  const results = searches.map(({ id, query, findings }): Block => {
    const text = resultText({ id, query, findings }, known);
    known += findings.sources.length;
    const isError = findings.fault !== undefined;
    const blocks: Block[] = [{ kind: "text", text }];
    return {
      kind: "result",
      id,
      call: "function",
      blocks,
      path: "tools[]",
      ...(isError && { isError }),
    };
  });
  const assistant: Message = { role: "assistant", blocks: turn.blocks.flatMap(requestBlock) };
  return {
    ...request,
    messages: [...request.messages, assistant, { role: "user", blocks: results }],
    // A search that was demanded has been made.
    choice: { type: "auto" },
  };
}

function requestBlock(block: ReplyBlock): Block[] {
  switch (block.kind) {
    case "text":
      return [{ kind: "text", text: block.text }];
    case "thinking":
      return [{ ...block, path: "messages[]" }];
    case "refusal":
      return [{ kind: "refusal", text: block.text }];
    case "call":
      return [block];
    case "media":
    case "opaque":
      return [];
    default:
      return block satisfies never;
  }
}

const faultTexts = {
  unavailable: "The search is not available.",
  failed: "The search failed.",
  spent: "No more searches are allowed for this answer. Go on with what was found.",
} as const;

/** What the model reads. Its numbers go on from those of earlier searches. */
function resultText({ query, findings }: DoneSearch, known: number): string {
  const { text, sources, fault } = findings;
  if (fault !== undefined) return faultTexts[fault];
  const lines = sources.map((source, at) => sourceLine(source, known + at + 1));
  const found = text === "" ? "" : `${text}\n\n`;
  return `Results for ${JSON.stringify(query)}:\n\n${found}Sources:\n${lines.join("\n")}`;
}

function sourceLine({ url, title, text }: WebSource, number: number): string {
  const words = text === undefined || text === "" ? "" : `\n    ${text.replaceAll("\n", " ")}`;
  return `[${number}] ${title ?? url} (${url})${words}`;
}

/** How a search is told to the client. */
export function searchEvents({ query, findings }: DoneSearch, key: number): ReplyEvent[] {
  const { sources, fault } = findings;
  const search = { query, sources, ...(fault !== undefined && { fault }) };
  const block = { kind: "opaque", type: "web_search", raw: {}, action: false, search } as const;
  return [
    { kind: "open", key, block },
    { kind: "close", key },
  ];
}

/** The end of the answer, with what all its turns used. */
export function endEvents(turns: readonly Reply[], stop: Stop): ReplyEvent[] {
  const usage = usageOfTurns(turns.map((turn) => turn.usage));
  return [...usageEvents(usage), { kind: "stop", ...stop }, { kind: "end" }];
}

export function usageEvents(usage: Usage): ReplyEvent[] {
  return Object.keys(usage).length === 0 ? [] : [{ kind: "usage", usage }];
}

const counts = ["input", "cacheRead", "cacheWrite", "cacheWrite1h", "output", "reasoning"] as const;

/** The sums of all turns, and each as a step; a count that one of them lacks in its whole is unknown. */
export function usageOfTurns(turns: readonly Usage[]): Usage {
  const [only] = turns;
  if (only === undefined) return {};
  if (turns.length === 1) return only;
  const sums: TokenCounts = {};
  for (const name of counts) {
    const isWhole = name === "input" || name === "output";
    const known = turns.flatMap((turn) => turn[name] ?? []);
    if (known.length === turns.length || (!isWhole && known.length > 0))
      sums[name] = known.reduce((total, count) => total + count, 0);
  }
  const tier = turns.findLast(({ serviceTier }) => serviceTier !== undefined)?.serviceTier;
  const steps = turns.flatMap((turn) => turn.steps ?? [stepOf(turn)]);
  return { ...sums, steps, ...(tier !== undefined && { serviceTier: tier }) };
}

function stepOf(usage: Usage): TokenCounts {
  return Object.fromEntries(
    counts.flatMap((name) => (usage[name] === undefined ? [] : [[name, usage[name]]])),
  );
}
