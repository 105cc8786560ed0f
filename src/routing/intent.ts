/** What somebody asked for on purpose: departures from what the client always sends, and the human's own word. */
import { budgetToEffort } from "../translation/effort.ts";
import type { ModelRequest } from "../core/request.ts";
import type { Client } from "./clients.ts";
import { rankOf } from "./need.ts";
import type { TierName } from "./decision.ts";
import { isSpoken } from "./spoken.ts";
import type { View } from "./view.ts";

export interface Intent {
  floor?: TierName;
  cap?: TierName;
  /** What showed it, for the explanation. */
  notes: string[];
}

interface IntentInput {
  turn: ModelRequest;
  view: View;
  client: Client;
  /** Saved on the harness; wins over the client's. */
  effort?: string | undefined;
}

const highest = new Set(["xhigh", "max"]);
const lowest = new Set(["low", "minimal", "none"]);
/** Thinking budgets from which on a client without habits asks for much thought. */
const largeBudget = 16_000;

/** Floors and caps that follow from explicit wishes. */
export function intentOf(input: IntentInput): Intent {
  const found = [fromEffort(input), fromBudget(input), fromWord(input.view), fromPlanMode(input)];
  return found.reduce<Intent>(merge, { notes: [] });
}

function merge(all: Intent, one: Intent | undefined): Intent {
  if (one === undefined) return all;
  const floor = higher(all.floor, one.floor);
  const cap = one.cap ?? all.cap;
  return { ...(floor && { floor }), ...(cap && { cap }), notes: [...all.notes, ...one.notes] };
}

function higher(a: TierName | undefined, b: TierName | undefined): TierName | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return rankOf(a) >= rankOf(b) ? a : b;
}

function fromEffort({ turn, client, effort: saved }: IntentInput): Intent | undefined {
  const effort = (saved ?? turn.reasoning?.effort ?? switchedOff(turn, client))?.toLowerCase();
  if (effort === undefined) return undefined;
  if (highest.has(effort)) return { floor: "reasoning", notes: [`effort=${effort}`] };
  if (lowest.has(effort)) return { cap: "standard", notes: [`effort=${effort}`] };
  if (effort === "high" && !client.usualEfforts.includes("high"))
    return { floor: "complex", notes: ["effort=high"] };
  return undefined;
}

/** The dialects without a word for no thinking have a switch. Clients with a habit of thinking turn it for little tasks. */
function switchedOff({ reasoning }: ModelRequest, client: Client): string | undefined {
  return reasoning?.mode === "off" && client.usualBudget === undefined ? "none" : undefined;
}

/** Tokens count as the word that asks for as many; beside a word they say no more than it does. */
function fromBudget({ turn, client, effort: saved }: IntentInput): Intent | undefined {
  const { budget, effort } = turn.reasoning ?? {};
  if (budget === undefined || client.usualBudget !== undefined) return undefined;
  if (saved !== undefined || effort !== undefined) return undefined;
  if (budget >= largeBudget) return { floor: "complex", notes: ["thinking budget"] };
  return lowest.has(budgetToEffort(budget))
    ? { cap: "standard", notes: ["thinking budget"] }
    : undefined;
}

/** The word that Claude Code made known; it counts only where the human says it, not where it is quoted. */
function fromWord({ ask }: View): Intent | undefined {
  return isSpoken(ask, /(?<![\w-])ultrathink(?![\w-])/gi)
    ? { floor: "reasoning", notes: ["ultrathink"] }
    : undefined;
}

/** Plan mode is told to the model by the client, never by the human: only its own envelopes are read. */
function fromPlanMode({ view, client }: IntentInput): Intent | undefined {
  if (client.name === "unknown") return undefined;
  // In the order of the conversation: the last announcement holds.
  const text = view.envelope.toLowerCase();
  const on = Math.max(...planModeOn.map((words) => text.lastIndexOf(words)));
  const off = Math.max(...planModeOff.map((words) => text.lastIndexOf(words)));
  return on > off ? { floor: "complex", notes: ["plan mode"] } : undefined;
}

const planModeOn = ["plan mode is active", "plan mode still active", "# plan mode"];
const planModeOff = ["exited plan mode", "# default mode", "# collaboration mode: default"];
