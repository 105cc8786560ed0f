/** Labelled records for training and evaluation, and the signals of their requests. */
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../src/lib/json.ts";
import { tiers, type TierName } from "../../src/workspace/contract/outcomes.ts";
import { recognizeClient } from "../../src/routing/intent/client.ts";
import { viewRequest } from "../../src/routing/request/request-view.ts";
import { requestSignals, type RequestSignals } from "../../src/routing/signals/request-signals.ts";
import { chatRequest } from "./chat-request.ts";

/** One line of a training file. */
export interface LabelledRecord {
  id: string;
  source: string;
  lang: string;
  request: JsonObject;
  tier?: TierName;
  /** Share of attempts that the cheap and the expensive model of a pair solved. */
  weak?: number;
  strong?: number;
  cost_weak?: number;
  cost_strong?: number;
  pair?: string;
  /** Share of the models of each size that solved it. */
  pools?: { small: number; mid: number; strong: number; reason: number };
  /** Probabilities of the four tiers, where the label is uncertain. */
  likely?: number[];
  /** Expected gain of an expensive model over a cheap one, where no pair was measured. */
  gain?: number;
  /** Weight among records of its source; 1 by default. */
  share?: number;
}

/** Records of a JSON lines file. */
export function readRecords(file: string): LabelledRecord[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  // The file is the caller's own: its shape is not checked.
  return lines.map((line) => JSON.parse(line) as LabelledRecord);
}

const tierIndexes = new Map<string, number>(tiers.map((name, index) => [name, index]));

/** Rank of a label: 0 is `simple`. */
export function tierIndex(name: string | undefined): number | undefined {
  return name === undefined ? undefined : tierIndexes.get(name);
}

const noHeaders = { get: () => null };

/** The signals of a chat body from an unknown client. */
export function signalsOfBody(body: JsonObject): RequestSignals {
  const request = chatRequest(body);
  const client = recognizeClient({ headers: noHeaders, request });
  return requestSignals(viewRequest(request), client);
}
