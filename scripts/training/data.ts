/** Labelled records for training and evaluating the router: reading them, and turning them into bins. */
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../src/lib/json.ts";
import { clientOf } from "../../src/routing/clients.ts";
import { tiers } from "../../src/routing/decision.ts";
import type { TierName } from "../../src/routing/decision.ts";
import { signalsOf } from "../../src/routing/signals.ts";
import type { Signals } from "../../src/routing/features.ts";
import { viewOf } from "../../src/routing/view.ts";
import { chatTurn } from "./chat-request.ts";

export interface LabelledRecord {
  id: string;
  source: string;
  lang: string;
  request: JsonObject;
  tier?: TierName;
  weak?: number;
  strong?: number;
  cost_weak?: number;
  cost_strong?: number;
  pair?: string;
  /** Share of the small, of the strong … models that solved it. */
  pools?: { small: number; mid: number; strong: number; reason: number };
  /** Probabilities of the four tiers, where the label is not certain. */
  likely?: number[];
  /** Expected gain of a dear model over a cheap one, where no pair was measured. */
  gain?: number;
  /** How much it counts beside others of its source's size; 1 unless given. */
  share?: number;
}

/** Records of a JSON lines file. */
export function readRecords(file: string): LabelledRecord[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  // The training file is the caller's own; its shape is checked where members are used.
  return lines.map((line) => JSON.parse(line) as LabelledRecord);
}

const tierIndexes = new Map<string, number>(tiers.map((name, index) => [name, index]));

export function tierIndex(name: string | undefined): number | undefined {
  return name === undefined ? undefined : tierIndexes.get(name);
}

const noHeaders = { get: () => null };

/** The signals that the scorer sees for a chat body from no known client. */
export function signalsOfBody(body: JsonObject): Signals {
  const turn = chatTurn(body);
  return signalsOf(viewOf(turn), clientOf({ headers: noHeaders, turn }));
}
