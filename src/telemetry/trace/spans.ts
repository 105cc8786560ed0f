/** The spans of a finished request: the gateway's own, and one for each call of a provider. Pure. */
import { isOperation, type LoggedFormat } from "../../core/operation-name.ts";
import { clientFormats } from "../../formats/index.ts";
import { operations } from "../../operations/records.ts";
import { elapsed } from "../../lib/clock.ts";
import type { ServerAddress } from "../../providers/connection/server-address.ts";
import type {
  AttemptRecord,
  BookedUsage,
  RequestRecord,
} from "../../workspace/contract/request-record.ts";
import type { CallTarget, FinishedIdentified, FinishedRequest } from "../finished-request.ts";
import { finishedOutcome } from "../outcome.ts";
import type { SpanContext } from "../span-context.ts";
import { finishReasons, operationNameOf, providerNameOf } from "./conventions.ts";
import type { AttributeValue, Attributes, Span } from "./span.ts";

/** Status of a request whose client left; no status of HTTP. */
const departed = 499;

/** None where the trace is not recorded. `own`: where the gateway is reached. */
export function spansOf(finished: FinishedRequest, own: ServerAddress | undefined): Span[] {
  const { trace } = finished;
  if (trace?.sampled !== true) return [];
  const server = serverSpan(finished, trace, own);
  return finished.identified ? [server, ...clientSpans(finished, trace)] : [server];
}

/** As the conventions want it: without what only this request has. */
function routeOf(format: LoggedFormat): string {
  if (isOperation(format)) return `/v1${operations[format].path}`;
  const { path, addressed } = clientFormats[format];
  return addressed === true ? `${path}/{model}` : `/v1${path}`;
}

function serverSpan(
  finished: FinishedRequest,
  trace: SpanContext,
  own: ServerAddress | undefined,
): Span {
  const { method, times } = finished;
  const route = routeOf(finished.format);
  const status = sentStatus(finished);
  const errorType = requestError(finished);
  const { sampled: _, ...context } = trace;
  return {
    ...context,
    remoteParent: trace.parentId !== undefined,
    // The conventions' word for methods that have no name there.
    name: `${method === "_OTHER" ? "HTTP" : method} ${route}`,
    kind: "server",
    start: times.arrived,
    end: times.ended,
    attributes: [
      ["http.request.method", method],
      ["http.route", route],
      ["url.path", route],
      ["url.scheme", finished.scheme],
      ["http.response.status_code", status],
      ["server.address", own?.address],
      ["server.port", own?.port],
      ["error.type", errorType],
      ["gateway.request.id", finished.id],
      ["gateway.format", finished.format],
      ["gateway.outcome", finishedOutcome(finished)],
      ["gateway.refusal", finished.refusedWith],
      ...(finished.identified ? ownFacts(finished) : []),
    ],
    // What a client did wrong is no error of a server's span.
    failed: finished.status >= 500,
  };
}

/** What only this gateway knows of a request. */
function ownFacts({ workspace, record }: FinishedIdentified): Attributes {
  const models = new Set(record.attempts.map(({ model }) => model));
  const fellBack = record.model !== null && models.size > 1;
  return [
    ["gateway.workspace", workspace],
    ["gateway.harness", record.harness],
    ["gateway.key.id", record.key_id],
    ["gateway.tier", record.tier ?? undefined],
    ["gateway.reason", record.reason ?? undefined],
    ["gateway.model", record.model ?? undefined],
    ["gateway.cost", record.cost === null ? undefined : { real: record.cost }],
    ["gateway.fallback.index", fellBack ? models.size - 2 : undefined],
    ["gateway.attempts", record.attempts.length],
    ["gateway.dropped.count", record.dropped.length],
    ["gateway.blocked_by", record.blocked_by],
    ["gateway.session", record.session_id],
    ["gateway.agent", record.agent],
    ["gateway.role", record.role],
    ...Object.entries(record.tags ?? {}).map(
      ([name, value]) => [`gateway.tag.${name}`, value] as const,
    ),
  ];
}

/** A stream began with 200, whatever became of it. */
function sentStatus(finished: FinishedRequest): number {
  const streamed = finished.identified && finished.answer && finished.record.stream;
  return streamed === true ? 200 : finished.status;
}

/** A class of errors, never a message. */
function requestError(finished: FinishedRequest): string | undefined {
  const { refusedWith, status } = finished;
  if (refusedWith !== undefined) return refusedWith;
  if (status === departed) return clientLeft;
  if (status < 400) return undefined;
  const last = finished.identified ? finished.record.attempts.at(-1) : undefined;
  return (last && attemptError(last)) ?? String(status);
}

const clientLeft = "client_left";

/** `error.type` of an attempt: the provider's status, or why there was none; undefined where it went well. */
export function attemptError({ status, cause }: AttemptRecord): string | undefined {
  if (status === departed) return clientLeft;
  if (status < 400) return undefined;
  return cause === undefined || cause === "status" || cause === "stated" ? String(status) : cause;
}

/** `gen_ai.request.model` of an attempt: the provider's own name of the model. */
export function calledModel({ model }: AttemptRecord): string {
  return model.slice(model.indexOf("/") + 1);
}

function clientSpans(finished: FinishedIdentified, trace: SpanContext): Span[] {
  const targets = finished.calls();
  return finished.record.attempts.flatMap((attempt, index) => {
    const { span, begun } = attempt;
    const target = targets[index];
    if (span === undefined || begun === undefined || target === undefined) return [];
    const { traceId, spanId, state } = trace;
    return [
      {
        traceId,
        spanId: span,
        parentId: spanId,
        remoteParent: false,
        ...(state !== undefined && { state }),
        name: `${operationNameOf(finished.format)} ${calledModel(attempt)}`,
        kind: "client" as const,
        start: begun,
        end: begun + attempt.ms,
        attributes: callAttributes(finished, attempt, target),
        failed: attempt.status >= 400,
      },
    ];
  });
}

function callAttributes(
  { record, answer }: FinishedIdentified,
  attempt: AttemptRecord,
  { kind, server }: CallTarget,
): Attributes {
  const answers = answer !== undefined && attempt === record.attempts.at(-1);
  return [
    ["gen_ai.operation.name", operationNameOf(record.format)],
    ["gen_ai.provider.name", providerNameOf(kind)],
    ["gen_ai.request.model", calledModel(attempt)],
    ["gen_ai.request.stream", record.stream],
    ["gen_ai.conversation.id", record.session_id],
    ["server.address", server?.address],
    ["server.port", server?.port],
    ["error.type", attemptError(attempt)],
    ["gateway.provider", attempt.model.slice(0, attempt.model.indexOf("/"))],
    ["gateway.cost", attempt.cost === undefined ? undefined : { real: attempt.cost }],
    ...(answers ? answerAttributes(answer, record, attempt) : []),
    ...(attempt.usage === undefined ? [] : usageAttributes(attempt.usage)),
  ];
}

function answerAttributes(
  { id, model, stop, firstByte }: NonNullable<FinishedIdentified["answer"]>,
  { stream }: RequestRecord,
  { begun }: AttemptRecord,
): Attributes {
  return [
    ["gen_ai.response.id", id],
    ["gen_ai.response.model", model],
    ["gen_ai.response.finish_reasons", stop && [finishReasons[stop]]],
    [
      "gen_ai.response.time_to_first_chunk",
      stream && begun !== undefined ? { real: elapsed(begun, firstByte) / 1000 } : undefined,
    ],
  ];
}

function usageAttributes(usage: BookedUsage): Attributes {
  return [
    ["gen_ai.usage.input_tokens", usage.input_tokens],
    ["gen_ai.usage.output_tokens", usage.output_tokens],
    ["gen_ai.usage.cache_read.input_tokens", usage.cached_tokens],
    ["gen_ai.usage.cache_creation.input_tokens", usage.cache_write_tokens],
    ["gen_ai.usage.reasoning.output_tokens", usage.reasoning_tokens],
    ["gateway.usage.estimated", usage.estimated],
  ];
}

/** The spans with what was said on the last of them, the call that answered. */
export function withText(
  spans: readonly Span[],
  { input, output }: ReturnType<NonNullable<FinishedIdentified["text"]>>,
): Span[] {
  const said: [string, AttributeValue][] = [
    ["gen_ai.input.messages", input],
    ["gen_ai.output.messages", output],
  ];
  return spans.map((span, index) =>
    index === spans.length - 1 && span.kind === "client"
      ? { ...span, attributes: [...span.attributes, ...said] }
      : span,
  );
}
