/** What sinks are told of a request that ended. Pure. */
import type { ProblemCode } from "../core/problem.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { serverOf } from "../providers/connection/server-address.ts";
import type {
  AnswerFacts,
  CallTarget,
  FinishedIdentified,
  FinishedUnidentified,
  StageTimes,
} from "../telemetry/finished-request.ts";
import type { AttemptRecord, RequestRecord } from "../workspace/contract/request-record.ts";
import type { Identified } from "./identify.ts";
import { isModelNamed, ownNameOf } from "./model-names.ts";
import type { Answered, ExchangeOutcome } from "./outcome.ts";
import type { Parsed } from "./parse.ts";
import type { Planned } from "./plan.ts";
import type { Received } from "./received.ts";
import { keptText } from "./kept-texts.ts";
import { tracedText } from "./traced-text.ts";

/** The names of the times at which a request reached its stages; in the order of `handle.ts`. */
export function stageTimes(arrived: number, reached: readonly number[], ended: number): StageTimes {
  const [identified, parsed, planned, admitted] = reached;
  return {
    arrived,
    ...(identified !== undefined && { identified }),
    ...(parsed !== undefined && { parsed }),
    ...(planned !== undefined && { planned }),
    ...(admitted !== undefined && { admitted }),
    ended,
  };
}

/** A request of nobody that is known. */
export function finishedUnidentified(
  received: Received,
  outcome: ExchangeOutcome,
  times: StageTimes,
): FinishedUnidentified {
  const status = outcome.kind === "refused" ? outcome.problem.status : 500;
  const common = { ...commonOf(received), status, times };
  return { identified: false, ...common, ...refusedWith(outcome) };
}

/** A request of a known key. */
export function finishedIdentified(
  stage: Identified | Parsed | Planned,
  outcome: ExchangeOutcome,
  { record, times }: { record: RequestRecord; times: StageTimes },
): FinishedIdentified {
  const { workspace } = stage.holder;
  const { status } = record;
  const known = { identified: true, ...commonOf(stage), workspace, record } as const;
  const called = calledIn(outcome, record);
  return { ...known, status, times, ...refusedWith(outcome), ...namesOf(stage), ...called };
}

/** Which names of models may be told: before the plan nothing is known of any. */
function namesOf(
  stage: Identified | Parsed | Planned,
): Pick<FinishedIdentified, "namesModel" | "requestedModel"> {
  if (!("plan" in stage)) return { namesModel: () => false };
  const { plan, request } = stage;
  const requestedModel = ownNameOf(request.description.model, plan);
  return {
    namesModel: (id) => isModelNamed(id, plan),
    ...(requestedModel !== undefined && { requestedModel }),
  };
}

type Common = "id" | "format" | "method" | "scheme" | "trace";

/** What is known of every request that arrived. */
function commonOf({
  id,
  client,
  operation,
  http,
  trace,
}: Received): Pick<FinishedUnidentified, Common> {
  return {
    id,
    format: operation ?? client.name,
    method: methods.has(http.method) ? http.method : "_OTHER",
    scheme: http.url.startsWith("https:") ? "https" : "http",
    ...(trace?.span !== undefined && { trace: trace.span }),
  };
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"]);

/** Who was asked, and what came of it. */
function calledIn(
  outcome: ExchangeOutcome,
  { attempts }: RequestRecord,
): Pick<FinishedIdentified, "calls" | "answer" | "text"> {
  if (outcome.kind === "refused") return { calls: () => [] };
  const { plan, chosen } = outcome.decided;
  const calls = (): CallTarget[] => attempts.map((attempt) => callOf(attempt, chosen.candidates));
  if (outcome.kind === "unanswered") return { calls };
  return {
    calls,
    answer: answerFacts(outcome),
    ...(plan.harness.trace_text === true &&
      outcome.decided.operation === undefined && {
        text: () => tracedText(outcome, (text) => keptText(text, plan.harness)),
      }),
  };
}

function callOf(
  { model: id, providerFormat }: AttemptRecord,
  candidates: readonly ListedModel[],
): CallTarget {
  const connection = candidates.find((candidate) => candidate.id === id)?.connection;
  if (connection === undefined) return { kind: "custom" };
  const server = providerFormat && serverOf(connection, providerFormat);
  return { kind: connection.kind, ...(server && { server }) };
}

/** Characters of what a provider calls its answer and its model. */
const longestName = 200;

function answerFacts({ totals, firstByte }: Answered): AnswerFacts {
  const { id, model, stop, chunks } = totals;
  return {
    ...(id !== undefined && { id: id.slice(0, longestName) }),
    ...(model !== undefined && { model: model.slice(0, longestName) }),
    ...(stop !== undefined && { stop }),
    chunks,
    firstByte,
  };
}

function refusedWith(outcome: ExchangeOutcome): { refusedWith?: ProblemCode } {
  return outcome.kind === "refused" ? { refusedWith: outcome.problem.marker } : {};
}
