/** Finished requests as the Exchange tells of them, for tests of sinks. */
import type {
  FinishedIdentified,
  FinishedUnidentified,
} from "../../src/telemetry/finished-request.ts";
import type {
  AttemptRecord,
  BookedUsage,
  RequestRecord,
} from "../../src/workspace/contract/request-record.ts";

/** When all of them arrive, epoch ms. */
export const arrived = Date.UTC(2026, 10, 22, 12);

export const usage: BookedUsage = {
  input_tokens: 100,
  cached_tokens: 40,
  cache_write_tokens: 0,
  output_tokens: 20,
  reasoning_tokens: 5,
  estimated: false,
};

/** A call that went well. */
export function attemptOf(more: Partial<AttemptRecord> = {}): AttemptRecord {
  const begun = arrived + 14;
  return { model: "lab/m", status: 200, ms: 80, begun, usage, cost: 0.25, outcome: "ok", ...more };
}

/** The row of a streamed answer. */
export function recordOf(more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id: "req_1",
    time: new Date(arrived).toISOString(),
    harness: "h",
    key_id: "key_1",
    format: "chat",
    requested_model: "lab/m",
    tier: "simple",
    reason: "the canary of the reason",
    confidence: 1,
    attempts: [attemptOf()],
    model: "lab/m",
    provider: "lab",
    status: 200,
    stream: true,
    usage,
    cost: 0.25,
    dropped: ["the canary of the dropped"],
    first_byte_ms: 50,
    total_ms: 94,
    error: "the canary of the error",
    text: { request: "the canary of the request", answer: "the canary of the answer" },
    ...more,
  };
}

interface Given extends Partial<Omit<FinishedIdentified, "record">> {
  readonly record?: Partial<RequestRecord>;
}

/** A request of a known key: 4 ms to identify, 3 to read, 2 to plan, 1 to admit, 4 to its call. */
export function identified({ record, ...more }: Given = {}): FinishedIdentified {
  return {
    identified: true,
    id: "req_1",
    workspace: "default",
    format: "chat",
    method: "POST",
    scheme: "http",
    calls: () => [],
    status: record?.status ?? 200,
    record: recordOf(record),
    namesModel: (id) => id.startsWith("lab/"),
    requestedModel: "lab/m",
    times: {
      arrived,
      identified: arrived + 4,
      parsed: arrived + 7,
      planned: arrived + 9,
      admitted: arrived + 10,
      ended: arrived + 94,
    },
    ...more,
  };
}

/** A request of nobody that is known. */
export function stranger(more: Partial<FinishedUnidentified> = {}): FinishedUnidentified {
  const times = { arrived, ended: arrived + 1 };
  return {
    identified: false,
    id: "req_2",
    format: "messages",
    method: "POST",
    scheme: "http",
    status: 401,
    times,
    refusedWith: "M005",
    ...more,
  };
}
