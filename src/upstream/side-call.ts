/** A call of another model that the gateway makes by itself for an answer, through the same layers and billed with it. */
import type { Reply } from "../core/reply.ts";
import { collect } from "../core/reply.ts";
import type { ModelRequest } from "../core/request.ts";
import type { ToolUses } from "../core/usage.ts";
import { clientFormats } from "../formats/index.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { estimateRequest } from "../tokens/estimate.ts";
import { estimateTokens } from "../tokens/text-tokens.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { type TokenGuess, usedByFailure } from "../workspace/rules/sums/cost.ts";
import { callRecord, type MadeCall } from "./call-record.ts";
import type { ClientRequest } from "./client-request.ts";
import type { Ask, Started, Upstream } from "./upstream.ts";

export interface SideQuestion {
  readonly next: Upstream;
  /** For which it is asked. */
  readonly ask: Ask;
  readonly model: ListedModel;
  /** Not streamed. */
  readonly request: ModelRequest;
  /** The client left, or the answer broke off. */
  readonly signal: AbortSignal | undefined;
  /** Most milliseconds. */
  readonly patience: number;
  /** Of its provider's own tools, at most. */
  readonly toolUses?: ToolUses;
  /** What calls beside the answer used, kept up to date while they run: the client may leave at any time. */
  readonly booked: AttemptRecord[];
}

/** A request that is not streamed and leaves open what is not given. */
export function plainRequest(
  given: Pick<ModelRequest, "format" | "model" | "messages"> & Partial<ModelRequest>,
): ModelRequest {
  return {
    stream: false,
    wantsUsage: true,
    tools: [],
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
    ...given,
  };
}

/** The reply; undefined where the call failed or took too long. Never throws: no answer fails for what is asked beside it. */
export async function askAside(question: SideQuestion): Promise<Reply | undefined> {
  const { next, signal, patience } = question;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), patience);
  const signals = [over.signal, ...(signal === undefined ? [] : [signal])];
  const call = callOf(question);
  const book = booking(question.booked, unanswered(call, 504));
  try {
    const asked = next(askFor(question, AbortSignal.any(signals)));
    const started = await Promise.race([asked, aborted(signals)]);
    if (started === undefined) return undefined;
    const { reply, records } = answerOf(started, call);
    book(records);
    return reply;
  } catch {
    // A model that cannot be called at all: its connection has no credential, or its address is refused.
    book([]);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Books the record until others take its place. */
function booking(
  booked: AttemptRecord[],
  pending: AttemptRecord,
): (records: readonly AttemptRecord[]) => void {
  booked.push(pending);
  return (records) => void booked.splice(booked.indexOf(pending), 1, ...records);
}

function aborted(signals: readonly AbortSignal[]): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    }
  });
}

function askFor({ ask, model, request }: SideQuestion, signal: AbortSignal): Ask {
  return {
    request: rewritten(request),
    client: clientFormats[request.format],
    rewritten: true,
    candidates: [model],
    cooling: {},
    attempted: [],
    parametersFor: () => ({}),
    asIs: false,
    credentials: ask.credentials,
    timer: ask.timer,
    headers: new Headers(),
    query: "",
    signal,
    departure: ask.departure,
  };
}

/** A request that exists in the hub's terms alone. */
export function rewritten(request: ModelRequest): ClientRequest {
  const { model, stream, maxOutput } = request;
  const body = { model, stream };
  return {
    body,
    exact: body,
    description: {
      ...clientFormats[request.format].describe(body),
      ...(maxOutput !== undefined && { maxOutput }),
    },
    size: sizeOf(request),
    tagged: false,
    inHub: () => request,
  };
}

function sizeOf({ messages }: ModelRequest): number {
  return textOf(messages).length;
}

function textOf(messages: ModelRequest["messages"]): string {
  const blocks = messages.flatMap((message) => message.blocks);
  return blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
}

interface Call {
  readonly model: ListedModel;
  /** Epoch ms. */
  readonly begun: number;
  readonly guess: TokenGuess;
  readonly toolUses: ToolUses | undefined;
}

/** What it is taken to use where nobody says: all that it may write, and every use of its tools. */
function callOf({ model, request, toolUses }: SideQuestion): Call {
  const guess = { input: estimateRequest(request), output: request.maxOutput ?? 0 };
  return { model, begun: Date.now(), guess, toolUses };
}

/** A call whose provider was at work and said nothing: it may bill for it all the same. */
function unanswered(call: Call, status: number): AttemptRecord {
  return recordOf({ ...call, status });
}

interface SideAnswer {
  readonly reply?: Reply;
  readonly records: readonly AttemptRecord[];
}

function answerOf(started: Started, call: Call): SideAnswer {
  if (started.kind === "failed") return { records: failedCalls(started.attempts, call) };
  if (started.kind === "stream") {
    started.source.cancel();
    started.controller.abort();
    return { records: [unanswered(call, 502)] };
  }
  const reply = collect(started.events);
  if ("failure" in reply) return { records: [unanswered(call, 502)] };
  const text = reply.blocks.flatMap((block) => ("text" in block ? [block.text] : [])).join("");
  const guess = { ...call.guess, output: estimateTokens(text) };
  const record = recordOf({ ...call, guess, status: 200, usage: reply.usage });
  return { reply, records: [...failedCalls(started.attempts, call), record] };
}

function failedCalls(attempts: readonly AttemptRecord[], call: Call): AttemptRecord[] {
  return attempts.map((attempt) => {
    const { unreported, reported, ...failed } = { ...attempt, side: true as const };
    if (unreported !== true && reported === undefined) return failed;
    const known = usedByFailure({ reported, unreported }, call.guess);
    const { status } = attempt;
    const { usage, cost, unpriced } = recordOf({ ...call, ...known, status, unreported });
    return {
      ...failed,
      ...(usage && { usage }),
      ...(cost !== undefined && { cost }),
      ...(unpriced && { unpriced }),
    };
  });
}

/** What a side call does tells nothing of its model's health as one that answers. */
function recordOf(call: Call & Omit<MadeCall, keyof Call>): AttemptRecord {
  return { ...callRecord(call), outcome: "neutral", side: true };
}
