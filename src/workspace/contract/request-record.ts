/** A finished request, as it is settled, booked and shown in the log. */
import type { FailureCause } from "../../core/failure.ts";
import type { FormatName } from "../../core/format-name.ts";
import type { Usage } from "../../core/usage.ts";
import type { LoggedFormat } from "../../core/operation-name.ts";
import type { BlockingNode } from "../../policy/refusal.ts";
import type { GivenFeedback } from "./feedback.ts";
import type { Observation } from "./outcomes.ts";
import type { SessionState } from "./session-state.ts";

/** One call of a provider. */
export interface AttemptRecord {
  /** `<connection>/<model>`. */
  model: string;
  /** HTTP status that it counts as; 499 when the client left. */
  status: number;
  ms: number;
  /** When the call began, epoch ms. Not part of the row. */
  begun?: number;
  /** Why it failed. Not part of the row. */
  cause?: FailureCause;
  /** The format in which the provider was asked. Not part of the row. */
  providerFormat?: FormatName;
  /** Id of its span, where the request has a trace. Not part of the row. */
  span?: string;
  usage?: BookedUsage;
  /** USD. */
  cost?: number;
  /** Kept for the health of the candidate; a departure or a fault of the request is neither. */
  outcome: "ok" | "failed" | "neutral";
  /** Epoch ms until which the provider asked to be left alone. */
  coolUntil?: number;
  error?: string;
  /** An extra call by the gateway itself: a judge of tool calls, a step of a web search. */
  side?: true;
  /** What its provider reported before it failed. Not part of the row. */
  reported?: Usage;
  /** It failed while the provider was at work, which may bill more than it reported: what was set aside. Not part of the row. */
  unreported?: true;
  /** It used something without a known price, which its cost leaves out. */
  unpriced?: true;
}

/** Tokens as they are charged: input includes cached and cache-write, output includes reasoning. */
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

/** How a request ended: whole, whole by a fallback, failed, refused by a limit or window, left by its client. */
export const requestOutcomes = ["ok", "fallback", "failed", "blocked", "left"] as const;
/** One of them. */
export type RequestOutcome = (typeof requestOutcomes)[number];

/** One row of the request log, as `GET /api/requests` shows it, with what else its end changes. */
export interface RequestRecord {
  id: string;
  /** ISO 8601 UTC. */
  time: string;
  harness: string;
  key_id?: string;
  /** The key's name when the request ended. */
  key_name?: string;
  /** The key's last four characters, where it has no name. */
  key_last4?: string;
  /** Id of the key's person. */
  person?: string;
  /** Of the client, or the operation that it asked for. */
  format: LoggedFormat;
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
  /** USD. */
  cost: number | null;
  /** A model of it has no known price, and counts with nothing. */
  unpriced?: true;
  /** Whose limit refused the request. */
  blocked_by?: BlockingNode;
  /** Missing in rows of the version before. */
  outcome?: RequestOutcome;
  /** The client's own id of the session. */
  session_id?: string;
  /** The client's own id of the agent within the session, where it is not the main one. */
  agent?: string;
  /** The client's own id of the agent that delegated the task. */
  parent_agent?: string;
  /** The client's own id of the user's prompt that the request works on. */
  prompt?: string;
  /** What the request was for, as far as it is known: `main`, `background` … */
  role?: string;
  /** What the client tagged it with. */
  tags?: Record<string, string>;
  /** Everything left out in translation, what callers are not told included. */
  dropped: string[];
  first_byte_ms: number | null;
  total_ms: number;
  /** The machine's clock was set while it ran: its times are not what it took. */
  clock_step?: true;
  error: string | null;
  /** The routing explanation, for the log's reader. */
  routing?: unknown;
  /** Nobody told how it ended: what it used is what was set aside for it. */
  lost?: true;
  /** Failing work went from one model to a stronger one; `reason` as `X-Gateway-Reason` has it. */
  escalation?: { from: string; to: string; reason: string };
  /** People's ratings of its model, by person; missing: none. */
  feedback?: Record<string, GivenFeedback>;
  /** Request and answer text, only where the harness switched that on. */
  text?: { request: string; answer: string };
  /** New state of the conversation. Not part of the row. */
  session?: {
    key: string;
    state: SessionState;
    /** Other names under which the conversation may be asked for next. */
    also?: readonly string[];
  };
  /** The key under which the cost of its conversation is counted. Not part of the row. */
  budget?: string;
  /** What the request showed about its tier, or about the conversation's last one. Not part of the row. */
  observed?: Observation[];
}
