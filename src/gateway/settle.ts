/** The end of a request: the slot is freed, the usage booked, the log row written; exactly once. */
import type {
  AttemptRecord,
  BookedUsage,
  RequestRecord,
} from "../workspace/contract/request-record.ts";
import type { SessionState } from "../workspace/contract/session-state.ts";
import type { Lease } from "./held-lease.ts";
import type { Prices } from "../core/model.ts";
import { bookedUsage, costOf, costOfSteps } from "../workspace/rules/cost.ts";
import type { Call } from "./call.ts";
import type { Prepared } from "../upstream/attempt.ts";
import type { End } from "./deliver.ts";
import type { Usage } from "../core/usage.ts";
import { estimatedOutput, type Tally } from "./tally.ts";

export interface SettleInput {
  call: Call;
  requestedModel: string;
  lease: Lease | null;
  prepared: Prepared;
  tally: Tally;
  end: End;
  /** Attempts before this one. */
  records: AttemptRecord[];
  /** Epoch ms. */
  begun: number;
  firstByte: number;
  now: number;
  /** Tokens of the request, for providers that do not say. */
  estimateInput(): number;
  /** Of a model by the provider's id; undefined means the one that was asked. */
  pricesOf(model: string | undefined): Prices | undefined;
  routing?: unknown;
  session?: { key: string; also: readonly string[]; turns: number; tier: string };
  learned: Pick<RequestRecord, "observed" | "session">;
  logText: boolean;
}

/** Characters of a request's and of an answer's text that the log keeps. */
const loggedText = 20_000;

/** Client left before the end; no status of HTTP, the log's own word. */
const departed = 499;

export async function settle(input: SettleInput): Promise<void> {
  const record = recordOf(input);
  // A meter that cannot be reached loses a row, not the answer: the lease runs out by itself.
  await Promise.resolve(input.lease?.settle(record)).catch((error: unknown) =>
    console.error("settling failed:", String(error)),
  );
}

function recordOf(input: SettleInput): RequestRecord {
  const { call, prepared, tally, end, now } = input;
  const reported = reportedIn(input);
  const usage = usageOf(reported, input);
  const cost = costIn(reported, usage, input);
  const last: AttemptRecord = {
    model: prepared.model.id,
    status: statusOf(end),
    ms: now - input.begun,
    usage,
    ...(cost !== null && { cost }),
    outcome: end.kind === "done" ? "ok" : end.kind === "gone" ? "neutral" : "failed",
    ...(end.kind === "failed" && { error: end.failure.message.slice(0, 500) }),
  };
  return {
    ...commonTo(call, input.requestedModel),
    attempts: [...input.records, last],
    model: prepared.model.id,
    provider: prepared.model.connection.id,
    status: statusOf(end),
    usage,
    cost,
    dropped: [...new Set([...prepared.dropped, ...prepared.quiet])].sort(),
    first_byte_ms: input.firstByte - call.started,
    total_ms: now - call.started,
    error:
      end.kind === "failed"
        ? end.failure.message.slice(0, 500)
        : end.kind === "gone"
          ? "the client left"
          : null,
    ...(input.routing !== undefined && { routing: input.routing }),
    ...(input.logText && {
      text: {
        request: JSON.stringify(call.body).slice(0, loggedText),
        answer: tally.texts.join("").slice(0, loggedText),
      },
    }),
    ...(input.session &&
      end.kind === "done" && {
        session: {
          key: input.session.key,
          also: input.session.also,
          state: sessionState(input, contextOf(reported, usage)),
        },
      }),
    ...input.learned,
  };
}

/** A stream that was cut reported its output, if at all, before it was written. */
function reportedIn({ tally, end }: SettleInput): Usage {
  if (end.kind === "done") return tally.usage;
  const { output: _, steps: __, ...before } = tally.usage;
  return before;
}

function usageOf(reported: Usage, { tally, estimateInput }: SettleInput): BookedUsage {
  return bookedUsage(reported, {
    input: reported.input ?? estimateInput(),
    output: reported.output ?? Math.max(tally.usage.output ?? 0, estimatedOutput(tally)),
  });
}

function costIn(reported: Usage, usage: BookedUsage, { pricesOf }: SettleInput): number | null {
  if (reported.steps === undefined || usage.estimated) return costOf(usage, pricesOf(undefined));
  return costOfSteps(reported.steps, pricesOf);
}

/** What the model had before it when it was done: after several steps, that of the last. */
function contextOf({ steps }: Usage, usage: BookedUsage): BookedUsage {
  const last = steps?.at(-1);
  return last === undefined ? usage : bookedUsage(last, { input: 0, output: 0 });
}

function statusOf(end: End): number {
  switch (end.kind) {
    case "done":
      return 200;
    case "gone":
      return departed;
    case "failed":
      return end.failure.status;
    default:
      return end satisfies never;
  }
}

function sessionState(input: SettleInput, usage: BookedUsage): SessionState {
  return {
    model: input.prepared.model.id,
    tier: input.session?.tier ?? "default",
    lastUsed: input.now,
    cachedTokens: usage.cached_tokens + usage.cache_write_tokens,
    inputTokens: usage.input_tokens,
    turns: (input.session?.turns ?? 0) + 1,
  };
}

/** A row for a request that ended without an answer of a provider: refused, or every attempt failed. */
export function failedRecord(input: {
  call: Call;
  requestedModel: string;
  status: number;
  error: string;
  records: AttemptRecord[];
  learned?: Pick<RequestRecord, "observed" | "session">;
  now: number;
}): RequestRecord {
  const { call } = input;
  return {
    ...commonTo(call, input.requestedModel),
    attempts: input.records,
    model: null,
    provider: null,
    status: input.status,
    usage: null,
    cost: null,
    dropped: [],
    first_byte_ms: null,
    total_ms: input.now - call.started,
    error: input.error.slice(0, 500),
    ...input.learned,
  };
}

type Common =
  | "id"
  | "time"
  | "harness"
  | "key_id"
  | "format"
  | "requested_model"
  | "tier"
  | "reason"
  | "confidence"
  | "stream";

/** What is known of every request, however it ended. */
function commonTo(call: Call, requestedModel: string): Pick<RequestRecord, Common> {
  return {
    id: call.id,
    time: new Date(call.started).toISOString(),
    harness: call.holder?.harness ?? "",
    ...(call.holder && { key_id: call.holder.keyId }),
    format: call.client,
    requested_model: requestedModel,
    tier: call.routing?.tier ?? null,
    reason: call.routing?.reason ?? null,
    confidence: call.routing?.confidence ?? null,
    stream: call.body?.["stream"] === true,
  };
}
