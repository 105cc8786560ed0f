/**
 * Verdicts on the tool uses of an answer, for clients that ask for them and providers that do not give them: by a model
 * that the harness names, or the honest word that nobody judges. What the maker's own service answers passes untouched.
 */
import type { ReplyEvent, SafeguardResult } from "../core/events.ts";
import type { SafeguardWriter } from "../core/format.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import type {
  Ask,
  Layer,
  Prepared,
  Started,
  StreamAnswer,
  Upstream,
  WholeAnswer,
} from "./upstream.ts";
import { callsOf, type JudgedCall } from "./safeguards/calls.ts";
import { askJudge } from "./judge.ts";
import { judgedSource } from "./judged-source.ts";

/** The one kind of verdict that a model can be told to give. */
export const judgeable = "dangerous_tool_use";

export const safeguards: Layer = (next) => (ask) => {
  const kinds = ask.request.description.safeguards;
  return kinds === undefined ? next(ask) : judgedAnswer(ask, kinds, next);
};

async function judgedAnswer(ask: Ask, kinds: readonly string[], next: Upstream): Promise<Started> {
  const started = await next(ask);
  if (started.kind === "failed") return started;
  const { prepared } = started;
  if (prepared.relay && prepared.target.traits.makersOwn) return started;
  const { sideCalls = [] } = started;
  const judging: Judging = { kinds, ask, next, prepared, sideCalls };
  return started.kind === "stream"
    ? judgedStream(started, judging)
    : await judgedWhole(started, judging);
}

interface Judging {
  readonly kinds: readonly string[];
  readonly ask: Ask;
  readonly next: Upstream;
  readonly prepared: Prepared;
  /** Of the answer, searches included; grows with every call of the judge. */
  readonly sideCalls: AttemptRecord[];
}

function judgedStream(answer: StreamAnswer, judging: Judging): StreamAnswer {
  const writer = writerFor(answer.prepared, judging.ask);
  const { source, held } = judgedSource(answer, {
    ...(writer !== undefined && { writer }),
    results: (calls, signal) => resultsFor(calls, signal, judging),
  });
  return { ...answer, source, held, sideCalls: judging.sideCalls };
}

async function judgedWhole(answer: WholeAnswer, judging: Judging): Promise<WholeAnswer> {
  const { prepared, events, bytes } = answer;
  const results = await resultsFor(callsOf(events), undefined, judging);
  const writer = writerFor(prepared, judging.ask);
  const written =
    bytes === undefined || writer === undefined
      ? bytes
      : new TextEncoder().encode(writer.whole(new TextDecoder().decode(bytes), results));
  return {
    ...answer,
    events: events.map((event) => withResults(event, results)),
    ...(written !== undefined && { bytes: written }),
    sideCalls: judging.sideCalls,
  };
}

/** How relayed bytes are given the results; nothing for what is translated. */
function writerFor({ relay }: Prepared, { client }: Ask): SafeguardWriter | undefined {
  return relay ? client.safeguards : undefined;
}

/** The event with the results, where it is the stop. */
function withResults(event: ReplyEvent, results: readonly SafeguardResult[]): ReplyEvent {
  return event.kind === "stop" ? { ...event, safeguards: results } : event;
}

async function resultsFor(
  calls: readonly JudgedCall[],
  signal: AbortSignal | undefined,
  { kinds, ask, next, prepared, sideCalls }: Judging,
): Promise<SafeguardResult[]> {
  const { judge: model } = ask;
  if (model === undefined || !kinds.includes(judgeable)) return kinds.map(unsupported);
  const verdicts = await askJudge(calls, { ask, next, model, prepared, signal, booked: sideCalls });
  return kinds.map((type) =>
    type === judgeable ? { type, status: "judged", verdicts } : unsupported(type),
  );
}

function unsupported(type: string): SafeguardResult {
  return { type, status: "unsupported" };
}
