/** One call of a model that may search: what of its answer passes to the client, and what it wants to search for. */
import type { OpenCall, ReplyEvent } from "../../core/events.ts";
import { collect, type Reply } from "../../core/reply.ts";
import type { Citation } from "../../core/request.ts";
import type { WebSource } from "../../core/web-search.ts";
import { asString, isObject, parseJson } from "../../lib/json.ts";

/** A call of the search. */
export interface WantedSearch {
  readonly id: string;
  readonly query: string;
}

export interface Turn {
  /** What the client gets of these events now. */
  feed(events: readonly ReplyEvent[]): ReplyEvent[];
  /** The model's answer is complete, or broke off. */
  ended(): boolean;
  failed(): boolean;
  /** What it said, the searches included. */
  reply(): Reply;
  searches(): readonly WantedSearch[];
  /** It also called tools of the client, which has to answer them first. */
  callsClient(): boolean;
  /** The first key that is free behind it. */
  nextKey(): number;
}

export interface TurnStart {
  /** Of the search function. */
  readonly name: string;
  /** Keys of blocks begin here. */
  readonly firstKey: number;
  /** Only the first turn begins the answer. */
  readonly begins: boolean;
  /** What was found before, by the numbers that the model knows: the first is 1. */
  readonly sources: readonly WebSource[];
}

export function newTurn({ name, firstKey, begins, sources }: TurnStart): Turn {
  const all: ReplyEvent[] = [];
  const hidden = new Map<number, { call: OpenCall; input: string[] }>();
  const texts = new Map<number, string[]>();
  let last = firstKey - 1;
  let clientCalls = false;
  let end: "open" | "ended" | "failed" = "open";

  const open = (event: Extract<ReplyEvent, { kind: "open" }>): ReplyEvent[] => {
    const { block } = event;
    if (block.kind === "call" && block.name === name && block.namespace === undefined) {
      hidden.set(event.key, { call: block, input: [] });
      return [];
    }
    if (block.kind === "call") clientCalls = true;
    if (block.kind === "text" && sources.length > 0) texts.set(event.key, []);
    const key = firstKey + event.key;
    last = Math.max(last, key);
    return [{ ...event, key }];
  };
  const piece = (
    event: Extract<ReplyEvent, { kind: "delta" | "state" | "cite" | "close" }>,
  ): ReplyEvent[] => {
    const search = hidden.get(event.key);
    if (event.kind === "delta") (search?.input ?? texts.get(event.key))?.push(event.text);
    if (search !== undefined) return [];
    const key = firstKey + event.key;
    const passed = { ...event, key };
    const text = event.kind === "close" ? texts.get(event.key) : undefined;
    if (text === undefined) return [passed];
    const cites = citationsIn(text.join(""), sources);
    return [...cites.map((citation) => ({ kind: "cite", key, citation }) as const), passed];
  };
  const passing = (event: ReplyEvent): ReplyEvent[] => {
    switch (event.kind) {
      case "start":
        return begins ? [event] : [];
      case "open":
        return open(event);
      case "delta":
      case "state":
      case "cite":
      case "close":
        return piece(event);
      case "fail":
        end = "failed";
        return [event];
      case "end":
        end = "ended";
        return [];
      case "usage":
      case "stop":
        // Told once, behind the last turn.
        return [];
      default:
        return event satisfies never;
    }
  };
  return {
    feed(events) {
      // Spread into arguments, the events of a long answer would not fit on the stack.
      for (const event of events) all.push(event);
      return events.flatMap(passing);
    },
    ended: () => end !== "open",
    failed: () => end === "failed",
    reply() {
      const reply = collect(all.filter(({ kind }) => kind !== "fail"));
      if ("failure" in reply) throw new Error("failures were taken out before");
      return reply;
    },
    searches: () =>
      [...hidden.values()].map(({ call, input }) => ({
        id: call.id,
        query: queryIn(input.join("")),
      })),
    callsClient: () => clientCalls,
    nextKey: () => last + 1,
  };
}

/** Models that write the query bare are understood as well. */
function queryIn(input: string): string {
  const value = parseJson(input);
  if (value === undefined) return input.trim();
  return asString(isObject(value) ? value["query"] : value) ?? "";
}

/** Most citations of a text. */
const mostCitations = 200;

/** A number in brackets stands for the source of that number. Positions in UTF-16 units. */
function citationsIn(text: string, sources: readonly WebSource[]): Citation[] {
  const citations: Citation[] = [];
  for (const match of text.matchAll(/\[(\d{1,3})\]/g)) {
    const source = sources[Number(match[1]) - 1];
    if (source === undefined) continue;
    const { url, title } = source;
    const place = { start: match.index, end: match.index + match[0].length };
    citations.push({ type: "url", url, ...(title !== undefined && { title }), ...place });
    if (citations.length >= mostCitations) break;
  }
  return citations;
}
