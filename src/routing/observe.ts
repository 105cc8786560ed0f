/**
 * What a request shows about its tier, or about the tier of the conversation's last answer. Pure and bounded;
 * read at the end of a request, when nobody waits for it.
 */
import type { StopReason } from "../core/events.ts";
import type { Message, Tool, ModelRequest } from "../core/request.ts";
import { isObject, parseJson } from "../lib/json.ts";
import type { Observation, SessionState } from "../workspace/contract/contract.ts";
import { choreOf } from "./chores.ts";
import { tiers } from "./decision.ts";
import type { AutoRequest, Decision, TierName } from "./decision.ts";
import { sessionKey } from "./key.ts";
import { clip, humanWords, viewOf } from "./view.ts";

/** A function call of an answer. */
export interface Called {
  name: string;
  namespace?: string;
  /** As the model wrote it. */
  input: string;
}

export type Ending =
  | { kind: "answered"; stop: StopReason | undefined; calls: readonly Called[] }
  /** Every candidate failed, or the answer broke off. */
  | { kind: "failed" }
  /** The client left, or the request itself was at fault: nobody knows what would have come. */
  | { kind: "unknown" };

export interface Watched {
  /** Absent where the client named the model. */
  decision: Decision | undefined;
  /** The first candidate. */
  model: string;
  /** What the conversation's last answer left behind. */
  session: SessionState | null;
  turn: () => ModelRequest;
  ending: Ending;
}

/** What is to be counted; nothing for most requests that name their model. */
export function observationsOf(watched: Watched): Observation[] {
  const { decision, model, session, turn, ending } = watched;
  const before = tierNamed(session?.tier);
  if (decision === undefined)
    return before !== undefined && session?.model !== model
      ? [{ tier: before, what: "overridden" }]
      : [];
  const tier = tierOf(decision);
  if (tier === undefined) return [];
  // A request that failed is sent again by many clients: the answered one counts.
  const again = before !== undefined && ending.kind === "answered" && asksAgain(turn().messages);
  return [
    ...(again ? [{ tier: before, what: "rephrased" } as const] : []),
    ...endingOf(watched).map((what) => ({ tier, what })),
  ];
}

/** The tier that the work was given; none where a rule, a switch or the kind of request decided. */
export function tierOf({ by, need }: Pick<Decision, "by" | "need">): TierName | undefined {
  return by === "scorer" || by === "intent" || by === "compaction" ? need : undefined;
}

function tierNamed(name: string | undefined): TierName | undefined {
  return tiers.find((tier) => tier === name);
}

/** The conversation of a request that names its model; none for side tasks, whose models say nothing about it. */
export function watchedKey(
  request: Pick<AutoRequest, "headers" | "body" | "turn" | "harness">,
): string | undefined {
  const view = viewOf(request.turn);
  const chore = choreOf(request.turn, view);
  return chore === undefined || chore === "compaction" ? sessionKey(request, view) : undefined;
}

/** A client that asks for fewer tokens wants the answer cut. */
const leastRoom = 256;

function endingOf({ ending, turn }: Watched): Observation["what"][] {
  switch (ending.kind) {
    case "unknown":
      return [];
    case "failed":
      return ["served", "errors"];
    case "answered": {
      const { maxOutput, tools } = turn();
      if (ending.stop === "length" || ending.stop === "context_full")
        return (maxOutput ?? leastRoom) < leastRoom ? ["served"] : ["served", "truncated"];
      const bad = ending.calls.slice(0, mostCalls).some((call) => isBad(call, tools));
      return bad ? ["served", "bad_calls"] : ["served"];
    }
    default:
      return ending satisfies never;
  }
}

/** Calls of an answer that are looked at, and the longest input that is read, in characters. */
const mostCalls = 20;
const longestInput = 65_536;

/** The input is no JSON object, or lacks what the tool's schema requires. */
function isBad({ name, namespace, input }: Called, tools: readonly Tool[]): boolean {
  if (input.length > longestInput) return false;
  const given = input.trim() === "" ? {} : parseJson(input);
  if (!isObject(given)) return true;
  const tool = tools.find(
    (offered) =>
      offered.kind === "function" && offered.name === name && offered.namespace === namespace,
  );
  const required = tool?.kind === "function" ? tool.schema?.["required"] : undefined;
  if (!Array.isArray(required)) return false;
  return required
    .slice(0, 100)
    .some((member) => typeof member === "string" && !Object.hasOwn(given, member));
}

/** Messages that are searched for the last two asks. */
const searched = 20;

/** The last two asks are nearly the same, and between them stands an answer that did nothing else. */
function asksAgain(messages: readonly Message[]): boolean {
  let ask: string | undefined;
  let answered = false;
  for (const message of messages.slice(-searched).toReversed()) {
    if (message.role === "instruction") continue;
    // Calls are progress; and in a loop of them the ask was looked at when it came.
    if (message.blocks.some(({ kind }) => kind === "call" || kind === "result")) return false;
    if (message.role === "assistant") {
      if (ask === undefined) return false;
      answered = true;
      continue;
    }
    const words = clip(humanWords(message).words);
    if (words === "") continue;
    if (ask !== undefined) return answered && nearlySame(ask, words);
    ask = words;
  }
  return false;
}

/** Words that two asks have to share, of all that they use; and how many make an ask. */
const sharedWords = 0.75;
const leastWords = 4;

/** Nearly the same words, in any order; other numbers make it another question. */
export function nearlySame(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (Math.min(a.size, b.size) < leastWords) return false;
  const apart = [...a].filter((word) => !b.has(word));
  const shared = a.size - apart.length;
  apart.push(...[...b].filter((word) => !a.has(word)));
  return (
    shared >= sharedWords * (shared + apart.length) && !apart.some((word) => /^\p{N}/u.test(word))
  );
}

/** Where words are not set apart, every character is one. */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(wordPattern));
}
