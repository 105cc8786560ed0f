/** What the workspace's object reports to administrators: the log, sums, limits and state. */
import type { LimitNode } from "../../policy/refusal.ts";
import type { LimitEntry } from "../../store/config.ts";
import type { FeedbackAnswer } from "./feedback.ts";
import type { RateState } from "./admission.ts";
import type { RequestOutcome, RequestRecord } from "./request-record.ts";

/** A row of the request log with its number; numbers grow with time. */
export interface LoggedRow {
  seq: number;
  record: RequestRecord;
}

/** What rows of the log are found by: all of it must hold. */
export interface RowConditions {
  harness?: string;
  /** Id of the key, or the name that rows show. */
  key?: string;
  /** From (inclusive) and to (exclusive). */
  status?: readonly [number, number];
  outcomes?: readonly RequestOutcome[];
  /** As requested, or the one that answered. */
  model?: string;
  provider?: string;
  /** Of the request's beginning, epoch ms: `from` inclusive, `to` exclusive. */
  from?: number;
  to?: number;
  /** USD, both inclusive. Rows without a cost match neither. */
  minCost?: number;
  maxCost?: number;
  tags?: readonly TagCondition[];
  session?: string;
  agent?: string;
  role?: string;
  /** Refused by a limit of such a node. */
  blockedBy?: LimitNode;
  /** Of which somebody said this. */
  feedback?: FeedbackAnswer;
  /** Only rows of this person's keys, by the person's id. */
  person?: string;
  /** A part of an id, a model, an error or a kept text, in any letter case. */
  text?: string;
}

/** A tag of that name; with that value where one is asked for. */
export interface TagCondition {
  name: string;
  value?: string;
}

/** Which rows of the log are asked for. */
export interface RowFilter extends RowConditions {
  limit: number;
  /** Only rows older than this one. */
  before?: number;
  /** Whether the texts of requests and answers come along. */
  texts?: boolean;
}

/** What the rows that match come to. */
export interface RowTotals {
  requests: number;
  /** USD. */
  cost: number;
  input_tokens: number;
  output_tokens: number;
}

/** Rows of the log, newest first. */
export interface RowPage {
  rows: LoggedRow[];
  /** Older rows may match too: ask again with `before` the last one's number. */
  more: boolean;
  /** Where the search ended for now, before its page was full: ask again with this as `before`. */
  next?: number;
}

/** By what requests are added up. */
export type SumGroup = "model" | "harness" | "provider" | "tier" | "choice";

/** What the sums of one group `choice` are of: the harness, the tier and the model, between tabs. */
export const choiceSeparator = "\t";

/** How long one bucket of an answer is; `span`: as long as what was asked for. */
type SumSpan = "hour" | "day" | "span";

/** `from` inclusive, `to` exclusive, epoch ms. */
export interface SumQuestion {
  from: number;
  to: number;
  group: SumGroup;
  /** `span`: one bucket, which begins at `from`. Missing: quarter-hours, as far as they are kept. */
  by?: SumSpan;
  /** Only what this harness used, or with `person:<id>` what that person's keys used; missing: all harnesses. */
  holder?: string;
  /** Whether the times until the first byte come along. */
  times?: true;
  /** Rows after which a page ends with its bucket; missing: 20,000. The version before does not know it. */
  most?: number;
}

/** Sums of one bucket and group. */
export interface SumRow {
  /** Start of the hour in UTC or of the day in the workspace's time zone, as asked; epoch ms. */
  bucket: number;
  group: string;
  requests: number;
  errors: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** Picodollars. */
  cost: number;
  /** Refused by a limit or window, and not among `requests`. Missing: from an object of the version before. */
  blocked?: number;
  /** Answered by a fallback. */
  fallbacks?: number;
  /** Times until the first byte, where they were asked for: a text of `rules/sums/histogram.ts`. */
  first_bytes?: string;
}

/** By what else rows of the request log are added up: what the sums do not tell apart. */
export const logGroups = ["key", "session", "agent", "role", "tag"] as const;

/** Which rows of the request log are added up, by when their requests began; epoch ms, `to` exclusive. */
export interface LogSumQuestion extends Pick<SumQuestion, "from" | "to" | "by"> {
  group: (typeof logGroups)[number];
  /** Where tags are asked for: by the values of this one; missing: by every `name=value`. */
  tagName?: string;
  /** Only what this person's keys used, by the person's id. */
  person?: string;
  /** Rows after which a page ends with its bucket; missing: all. The version before does not know it. */
  most?: number;
  /** The `next` of the page before. */
  after?: number;
}

/** What the rows of the request log add up to, or a page of it. */
export interface LogSums {
  /** Oldest first. A request with several tags is in several groups. */
  rows: SumRow[];
  /** Every request once, by bucket; oldest first. Of pages the first has all. */
  totals: SumRow[];
  /** Names of keys by their ids, where they were asked for. */
  names: Record<string, string>;
  /** Requests that began earlier may be missing, epoch ms; null: the log has never forgotten one. */
  completeFrom: number | null;
  /** Missing at the end. */
  next?: number;
}

/** Sums, oldest first. */
export interface SumPage {
  rows: SumRow[];
  /** `from` of the next question; null at the end. */
  next: number | null;
}

/** What a key or a person used on one day of the workspace's time zone. */
export interface DayTotal {
  /** Epoch ms; `end` is the first instant after it. */
  start: number;
  end: number;
  requests: number;
  errors: number;
  /** Tokens: input includes cached. */
  input: number;
  cached: number;
  output: number;
  /** Picodollars. */
  cost: number;
}

/** Whose limit it is. */
export interface LimitOwner {
  /** Id of the harness; empty where the limit is not a harness's. */
  harness: string;
  /** Missing: the harness's, from an object of the version before. */
  node?: LimitNode;
  /** Id of the harness, key or person; empty for the workspace. */
  id?: string;
}

/** A limit that blocked, or a notifying one that was crossed, once a period. */
export interface BlockRecord extends LimitOwner {
  metric: "cost" | "tokens" | "requests";
  period: "hour" | "day" | "week" | "month";
  max: number;
  action: "block" | "notify";
  /** Of the period, and of the first and the last block in it; epoch ms. */
  start: number;
  first: number;
  last: number;
  /** In the limit's own unit, USD for cost. */
  used: number;
  count: number;
}

/** A limit as people look at it: how much is used, how much is under way, when it starts anew. */
export interface LimitView extends LimitEntry, LimitOwner {
  /** In the limit's own unit, USD for cost. */
  used: number;
  reserved: number;
  /** ISO 8601 UTC. */
  resets_at: string;
  /** Of the key or harness, as people called it; missing from an object of the version before. */
  name?: string;
  /** Where it is a key's: the id of its harness. */
  key_harness?: string;
}

/** The workspace at this moment. */
export interface WorkspaceStatus {
  generation: number;
  /** Number of the newest row of the log. */
  seq: number;
  inFlight: number;
  /** The workspace's own window; null where each key holder has one. */
  rate: RateState | null;
  monthly: { limit: number | null; used: number };
  /** Model id to epoch ms until which it is tried last. */
  cooling: Record<string, number>;
  /** Ids of the providers that are down, as people were told; missing in the version before. */
  down?: string[];
  /** Those of them whose other models answer; missing in the version before. */
  downInPart?: string[];
}

/** Rows that came after the asked one, oldest first. */
export interface LogChanges {
  seq: number;
  generation: number;
  rows: LoggedRow[];
}
