/**
 * What the workspace's object is asked and what it answers: the words between the gateway and the meter.
 * All of it crosses an RPC boundary, so it is plain data, but for the lease.
 */
import type { ClientFormatName } from "../../core/format-name.ts";
import type { Prices } from "../../core/model.ts";
import type { Snapshot } from "../../store/snapshot.ts";

/** One model that the plan may call, in the plan's order, with what it would cost at most. */
export interface CandidateEstimate {
  /** `<connection>/<model>`. */
  id: string;
  /** Estimated input tokens. */
  input: number;
  /** The client's limit of output tokens, if it set one. */
  asked?: number;
  /** The model's own maximum. */
  modelMax?: number;
  /** Missing: the price is unknown (refused under a cost limit). Subscriptions have zeros. */
  prices?: Prices;
}

export interface AdmitRequest {
  requestId: string;
  keyHash: string;
  harness: string;
  /** Of the snapshot that the plan was made from. */
  generation: number;
  /** light: model list and token count; counted in the windows, without a slot, without limits. */
  weight: "generation" | "light";
  candidates: CandidateEstimate[];
  /** Whether a dearer first candidate may be left out for a cheaper one that fits the budget (`auto`). */
  flexible: boolean;
  /** Key of the conversation, for session state. */
  session?: string;
}

/** State of the key's request window, for the `x-ratelimit-*` headers. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until one request more is allowed, or the window is empty. */
  reset: number;
}

export type AdmitAnswer =
  | {
      verdict: "admitted";
      lease: Lease | null;
      rate: RateState | null;
      session: SessionState | null;
      /** Candidates that are cooling down: id -> epoch ms until when. */
      cooling: Record<string, number>;
      /** Ids of the candidates that fit the budget, in the given order. */
      affordable: string[];
      /** What the harness's requests came to so far; only where it learns from them. */
      outcomes?: Outcomes;
    }
  /** The snapshot is old: plan again with this one. Nothing was counted. */
  | { verdict: "stale"; snapshot: Snapshot }
  | { verdict: "refused"; refusal: Refusal; rate: RateState | null };

/** A request that is only thought of: what it would meet, nothing counted. */
export type ForeseeRequest = Pick<AdmitRequest, "harness" | "candidates" | "flexible" | "session">;

/** Health, budget and conversation as the request would find them; without an affordable candidate it is M200. */
export type Foresight = Pick<
  Extract<AdmitAnswer, { verdict: "admitted" }>,
  "session" | "cooling" | "affordable"
>;

export type Refusal =
  | { code: "M004" | "M005" }
  /** Whole seconds, 1..60. */
  | { code: "M201" | "M203" | "throttle"; retryAfter: number; limit: number }
  | { code: "M204"; limit: number; used: number }
  | {
      code: "M200";
      metric: "cost" | "tokens" | "requests";
      period: "hour" | "day" | "week" | "month";
      used: number;
      limit: number;
      /** Set when the block is due to a model without a known price. */
      unpriced?: string;
    };

/** The slot. Lives in the object; the caller holds a stub. Given back exactly once, whatever comes first. */
export interface Lease {
  id: string;
  /** Memory only: frees the slot, replaces the reservation by the actual cost, keeps the record for the next batch. */
  settle(record: RequestRecord): Promise<void> | void;
  /** Every 15 s while the answer runs. */
  renew(): Promise<void> | void;
}

export interface SessionState {
  /** `<connection>/<model>` that answered last. */
  model: string;
  tier: string;
  /** Epoch ms of the last answer. */
  lastUsed: number;
  /** Cached tokens that the provider reported last, and the whole input. */
  cachedTokens: number;
  inputTokens: number;
  turns: number;
}

/** Capability floors of `auto`, weakest first. */
export const tiers = ["simple", "standard", "complex", "reasoning"] as const;
export type TierName = (typeof tiers)[number];

/** Counts of how requests of one tier ended, for one harness. */
export type Outcomes = Partial<Record<TierName, OutcomeCounts>>;
export interface OutcomeCounts {
  /** Requests whose end is known; each of the other counts is about some of them. */
  served: number;
  errors: number;
  truncated: number;
  rephrased: number;
  overridden: number;
  bad_calls: number;
}

/** One count more. */
export interface Observation {
  tier: TierName;
  what: keyof OutcomeCounts;
}

export interface AttemptRecord {
  /** `<connection>/<model>`. */
  model: string;
  /** HTTP status that it counts as; 499 when the client left. */
  status: number;
  ms: number;
  usage?: BookedUsage;
  cost?: number;
  /** Kept for the health of the candidate; a departure or a fault of the request is neither. */
  outcome: "ok" | "failed" | "neutral";
  /** Epoch ms until which the provider asked to be left alone. */
  coolUntil?: number;
  error?: string;
}

export interface BookedUsage {
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  cache_write_1h_tokens?: number;
  output_tokens: number;
  reasoning_tokens: number;
  /** The provider did not say, the stream was cut, or the numbers were absurd. */
  estimated: boolean;
}

/** One row of the request log, as `GET /api/requests` shows it. */
export interface RequestRecord {
  id: string;
  /** ISO 8601 UTC. */
  time: string;
  harness: string;
  key_id?: string;
  format: ClientFormatName;
  requested_model: string;
  tier: string | null;
  reason: string | null;
  confidence: number | null;
  attempts: AttemptRecord[];
  model: string | null;
  provider: string | null;
  status: number;
  stream: boolean;
  usage: BookedUsage | null;
  cost: number | null;
  /** Everything left out in translation, the quiet ones included. */
  dropped: string[];
  first_byte_ms: number | null;
  total_ms: number;
  error: string | null;
  /** The routing explanation, for the log's reader. */
  routing?: unknown;
  /** Request and answer text, only where the harness switched that on. */
  text?: { request: string; answer: string };
  /** New state of the conversation. */
  session?: {
    key: string;
    state: SessionState;
    /** Other names under which the conversation may be asked for next. */
    also?: readonly string[];
  };
  /** What the request showed about its tier, or about the conversation's last one. Not part of the row. */
  observed?: Observation[];
}
