/** A call of another model that the gateway makes by itself for an answer, through the same layers and billed with it. */
import type { Reply } from "../core/reply.ts";
import { collect } from "../core/reply.ts";
import type { ModelRequest } from "../core/request.ts";
import type { Usage } from "../core/usage.ts";
import { clientFormats } from "../formats/index.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { billedPrices } from "../providers/models/billed-prices.ts";
import { estimateTokens } from "../tokens/text-tokens.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { bookedUsage, costOf, type TokenGuess } from "../workspace/rules/cost.ts";
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
  readonly signal: AbortSignal;
  /** Most milliseconds. */
  readonly patience: number;
}

/** What came of it. A reply is missing where the call failed or took too long. */
export interface SideAnswer {
  readonly reply?: Reply;
  readonly sideCalls: readonly AttemptRecord[];
}

/** Never throws: an answer does not fail for what is asked beside it. */
export async function askAside(question: SideQuestion): Promise<SideAnswer> {
  const { next, model, signal, patience } = question;
  const begun = Date.now();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), patience);
  const signals = [over.signal, signal];
  const call = { model, begun, guess: guessFor(question.request) };
  try {
    const asked = next(askFor(question, AbortSignal.any(signals)));
    const started = await Promise.race([asked, aborted(signals)]);
    return started === undefined
      ? { sideCalls: [recordOf({ ...call, status: 504 })] }
      : answerOf(started, call);
  } catch {
    // A model that cannot be called at all: its connection has no credential, or its address is refused.
    return { sideCalls: [] };
  } finally {
    clearTimeout(timer);
  }
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
    headers: new Headers(),
    query: "",
    signal,
  };
}

/** A request that exists in the hub's terms alone. */
function rewritten(request: ModelRequest): ClientRequest {
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

function guessFor({ messages }: ModelRequest): TokenGuess {
  return { input: estimateTokens(textOf(messages)), output: 0 };
}

interface Call {
  readonly model: ListedModel;
  /** Epoch ms. */
  readonly begun: number;
  readonly guess: TokenGuess;
}

function answerOf(started: Started, call: Call): SideAnswer {
  if (started.kind === "failed") return { sideCalls: aside(started.attempts) };
  if (started.kind === "stream") {
    started.source.cancel();
    started.controller.abort();
    return { sideCalls: [recordOf({ ...call, status: 502 })] };
  }
  const reply = collect(started.events);
  if ("failure" in reply) return { sideCalls: [recordOf({ ...call, status: 502 })] };
  const text = reply.blocks.flatMap((block) => ("text" in block ? [block.text] : [])).join("");
  const guess = { ...call.guess, output: estimateTokens(text) };
  const record = recordOf({ ...call, guess, status: 200, usage: reply.usage });
  return { reply, sideCalls: [...aside(started.attempts), record] };
}

/** Attempts of a call beside an answer. */
export function aside(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return attempts.map((attempt) => ({ ...attempt, side: true }));
}

/** What it used, as it is booked. What a side call does tells nothing of its model's health as one that answers. */
function recordOf({
  model,
  begun,
  status,
  usage,
  guess,
}: Call & { status: number; usage?: Usage }): AttemptRecord {
  const booked = bookedUsage(usage, guess);
  const { serviceTier, toolUses } = usage ?? {};
  const cost = costOf(booked, billedPrices(model), {
    ...(serviceTier !== undefined && { serviceTier }),
    ...(toolUses !== undefined && { toolUses }),
  });
  return {
    model: model.id,
    status,
    ms: Date.now() - begun,
    begun,
    usage: booked,
    ...(cost !== null && { cost }),
    outcome: "neutral",
    side: true,
  };
}
