/**
 * What a request asks of the workspace's object at admission, and what it answers. All of `contract/` crosses
 * RPC as plain data. A roll-out runs this version beside the one before for minutes, in both directions: members
 * are only added, readers ignore those they do not know, and an added one has a default where it is missing.
 */
import type { Prices } from "../../core/model.ts";
import type { LoggedFormat } from "../../core/operation-name.ts";
import type { SpendState } from "../../core/spend.ts";
import type { Refusal } from "../../policy/refusal.ts";
import type { MediaKind, ToolUses } from "../../core/usage.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { KeyTerms } from "./identity.ts";
import type { Outcomes } from "./outcomes.ts";
import type { SessionState } from "./session-state.ts";

/** One model that the plan may call, in the plan's order, with what it would cost at most. */
export interface CandidateEstimate {
  /** `<connection>/<model>`. */
  id: string;
  /** Estimated input tokens. */
  input: number;
  /** Input tokens that the provider may add at most, from what it keeps itself; missing: none. */
  addedInput?: number;
  /** The client's limit of output tokens for all answers together, if it set one. */
  asked?: number;
  /** The model's own maximum, for all answers that are asked for together. */
  modelMax?: number;
  /** How many answers are asked for at once; missing: 1. */
  answers?: number;
  /** The service tier that the request asks for. */
  serviceTier?: string;
  /** Where it asks that the model runs. */
  region?: string;
  /** How much its searches are to put before the model. */
  searchContext?: string;
  /** Kinds of tokens that are no text which it may read and write; missing: none. */
  media?: readonly MediaKind[];
  /** Uses of the provider's paid tools that are expected at most; missing: none. */
  toolUses?: ToolUses;
  /** Missing: the price is unknown, and only a strict limit of cost blocks it. Subscriptions have zeros. */
  prices?: Prices;
  /** Extra calls that the gateway may make for it, searches and a judge; missing: none. */
  beside?: BesideEstimate[];
  /** Tokens that it may use at most, output of all answers together; only where a limit holds upper bounds. */
  most?: MostTokens;
  /** `auto` found it by itself: neither the client nor the harness names it. */
  unnamed?: true;
}

/** An upper bound of a request's tokens. */
export interface MostTokens {
  input: number;
  output: number;
  /** Of what the provider may add; missing: as it is expected. */
  added?: number;
}

/** Extra calls to one model that the gateway may make for an answer, with the expected usage of each. */
export interface BesideEstimate {
  /** `<connection>/<model>`. */
  id: string;
  times: number;
  /** Tokens. */
  input: number;
  output: number;
  toolUses?: ToolUses;
  /** Missing: unknown. */
  prices?: Prices;
}

/** A planned request that asks to be let through. */
export interface AdmitRequest {
  requestId: string;
  keyHash: string;
  harness: string;
  /** Of the snapshot that the plan was made from. */
  generation: number;
  /** Of the key's terms that the plan was made from; a caller of the version before knows none. */
  keyVersion?: number;
  /** `light`: a counted request (model list, token count), counted in the windows, without a slot, without limits. */
  weight: "generation" | "light";
  candidates: readonly CandidateEstimate[];
  /** What the log calls it; a caller of the version before does not say. */
  format?: LoggedFormat;
  /** Whether a dearer first candidate may be left out for a cheaper one that fits the budget (`auto`). */
  flexible: boolean;
  /** Key of the conversation, for session state. */
  session?: string;
  /** What the client lets the conversation cost, in USD, and the key under which that is counted; missing: nothing is set. */
  budget?: { key: string; most: number };
  /** Milliseconds that it has waited for a slot before; missing: none. */
  waited?: number;
  /** Key of the stored response that the request continues: its length shows what the provider adds. */
  continues?: string;
  /** Calls whose answers' reasoning the client did not bring back. */
  reasoningOf?: string[];
}

/** State of the key's request window, for the `x-ratelimit-*` headers. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until one request more is allowed, or the window is empty. */
  reset: number;
}

/** A slot that the request holds. Its id is the request's; it expires unless it is renewed. */
export interface LeaseGrant {
  id: string;
}

/** Money in picodollars, and tokens. */
export interface MostUse {
  cost: number;
  tokens: number;
}

/** Upper bounds of a request and its candidates. */
export interface HeldBounds {
  /** What all calls for it may use together. */
  reserve: MostUse;
  /** What one call may use, by candidate. */
  most: Record<string, MostUse>;
}

/** The answer to an admitted request. */
export interface AdmitGrant {
  verdict: "admitted";
  /** Null for a counted request, which holds no slot. */
  lease: LeaseGrant | null;
  rate: RateState | null;
  session: SessionState | null;
  /** What the conversation with a budget has cost so far, in USD; missing: it has none. */
  spent?: number;
  /** Candidates that are cooling down: id -> epoch ms until when. */
  cooling: Record<string, number>;
  /** Ids of the candidates that fit the budget, in the given order. */
  affordable: string[];
  /** Output tokens that were set aside for each of those; missing: what the candidate's estimate alone gives. */
  setAside?: Record<string, number>;
  /** Input tokens that were set aside for what the provider adds itself, where that is any. */
  addedInput?: Record<string, number>;
  /** Where a limit holds upper bounds: what was set aside, and the bound of each affordable candidate. */
  bounds?: HeldBounds;
  /** What the harness's requests came to so far; only where it learns from them. */
  outcomes?: Outcomes;
  /** The fullest limit of money of the key and its person, before this request; only where they have one. */
  spend?: SpendState;
  /** Reasoning that is kept for those calls, sealed; by the call. */
  reasoning?: Record<string, string>;
}

/** What the caller knows is old: plan again with this. Nothing was counted. */
export interface StaleAnswer {
  verdict: "stale";
  snapshot: Snapshot;
  /** What the key may do now; missing from an object of the version before. */
  key?: KeyTerms;
}

/** What the object decided about a request. */
export type AdmitAnswer =
  | AdmitGrant
  | StaleAnswer
  | { verdict: "refused"; refusal: Refusal; rate: RateState | null };

/** A request that is only planned: what it would meet, nothing counted. */
export type ForeseeRequest = Pick<
  AdmitRequest,
  "harness" | "candidates" | "flexible" | "session" | "continues" | "budget"
>;

/** Health, budget and conversation as the request would find them; without an affordable candidate it is M200. */
export type Foresight = Pick<AdmitGrant, "session" | "spent" | "cooling" | "affordable">;
