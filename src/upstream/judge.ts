/** Asks the model that a harness names as its judge, through the same layers as every call. */
import type { SafeguardVerdict } from "../core/events.ts";
import { collect } from "../core/reply.ts";
import type { ModelRequest } from "../core/request.ts";
import { clientFormats, providerFormats } from "../formats/index.ts";
import { newId } from "../lib/ids.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { targetIn } from "../providers/connection/target.ts";
import { billedPrices } from "../providers/models/billed-prices.ts";
import { estimateTokens } from "../tokens/text-tokens.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { bookedUsage, costOf, type TokenGuess } from "../workspace/rules/cost.ts";
import type { Usage } from "../core/usage.ts";
import { clientRequest } from "./client-request.ts";
import type { Ask, Prepared, Started, Upstream } from "./upstream.ts";
import type { JudgedCall } from "./safeguards/calls.ts";
import { caseText, judgedPlaces, ordersWith } from "./safeguards/question.ts";
import { readDecisions } from "./safeguards/verdicts.ts";

export interface JudgeCall {
  /** The request whose answer is judged. */
  readonly ask: Ask;
  readonly next: Upstream;
  readonly model: ListedModel;
  /** As it was written for the provider that answered. */
  readonly prepared: Prepared;
  /** The client left, or the answer broke off. */
  readonly signal: AbortSignal | undefined;
  /** What the judge's call used, kept up to date: its client may leave at any time. */
  readonly booked: AttemptRecord[];
}

/**
 * Verdicts on the calls. Where the judge fails there are none: Claude Code then does not run the call and has the agent
 * try it once more, which is judged anew. After `unavailable` it would never try again, and after `unsupported` nothing
 * would be judged for the rest of the session (recorded with 2.1.330).
 */
export async function askJudge(
  calls: readonly JudgedCall[],
  given: JudgeCall,
): Promise<SafeguardVerdict[]> {
  const places = judgedPlaces(calls);
  const judged = places.flatMap((place) => calls[place] ?? []);
  const question = judged.length === 0 ? undefined : questionFor(judged, given);
  const text = question && (await answerTo(question, given));
  const decisions = text === undefined ? undefined : readDecisions(text, judged.length);
  return (decisions ?? []).flatMap((decision, at): SafeguardVerdict[] => {
    const [call, judgedCall] = [places[at], judged[at]];
    return call === undefined || judgedCall === undefined
      ? []
      : [{ call, id: judgedCall.id, ...decision }];
  });
}

interface Question {
  readonly orders: string;
  readonly text: string;
}

/** In which Claude Code names a subagent: its task was written by another agent. */
const agentHeader = "x-claude-code-agent-id";

function questionFor(
  calls: readonly JudgedCall[],
  { ask: { request, headers } }: JudgeCall,
): Question | undefined {
  const mark = newId("case_");
  const isDelegated = headers.has(agentHeader);
  try {
    const text = caseText({ request: request.inHub(), isDelegated, calls, mark });
    return { orders: ordersWith(mark), text };
  } catch {
    // A relay hands on what only its provider can read: nothing is known of the user's asks.
    return undefined;
  }
}

/** Tokens of the judge's answer, its reasoning included. */
const longestAnswer = 4_096;

function hubRequest({ orders, text }: Question, model: ListedModel): ModelRequest {
  const block = (words: string) => ({ kind: "text", text: words }) as const;
  return {
    format: "chat",
    model: model.id,
    stream: false,
    wantsUsage: true,
    messages: [
      { role: "instruction", voice: "system", blocks: [block(orders)] },
      { role: "user", blocks: [block(text)] },
    ],
    tools: [],
    maxOutput: longestAnswer,
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
  };
}

/** Most seconds for a verdict, and the share of the time for which a stream may be silent. */
const patience = 20;
const silentShare = 0.75;

/** The judge's words, if they came in time. */
async function answerTo(question: Question, given: JudgeCall): Promise<string | undefined> {
  const { model, next, prepared, signal, booked } = given;
  const call: SideCall = { model, begun: Date.now(), guess: guessFor(question) };
  booked.push(sideCall({ ...call, status: 504 }));
  const over = new AbortController();
  const seconds = Math.min(patience, prepared.model.connection.timeouts.idle * silentShare);
  const signals = [over.signal, ...(signal === undefined ? [] : [signal])];
  const timer = setTimeout(() => over.abort(), seconds * 1000);
  try {
    const asked = next(askFor(question, given, AbortSignal.any(signals)));
    const started = await Promise.race([asked, aborted(signals)]);
    if (started === undefined) return undefined;
    const { text, sideCalls } = readAnswer(started, call);
    booked.splice(0, booked.length, ...sideCalls);
    return text;
  } catch {
    // A judge that cannot be called at all: its connection has no credential, or its address is refused.
    booked.splice(0, booked.length);
    return undefined;
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

function askFor(question: Question, { ask, model }: JudgeCall, signal: AbortSignal): Ask {
  const client = clientFormats.chat;
  const target = targetIn(model, client.name, false);
  const { body } = providerFormats.chat.writeRequest(hubRequest(question, model), target);
  return {
    request: clientRequest(client, { body, text: JSON.stringify(body) }),
    client,
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

function guessFor({ orders, text }: Question): TokenGuess {
  return { input: estimateTokens(orders) + estimateTokens(text), output: 0 };
}

interface SideCall {
  readonly model: ListedModel;
  /** Epoch ms. */
  readonly begun: number;
  readonly guess: TokenGuess;
}

function readAnswer(
  started: Started,
  call: SideCall,
): { text?: string; sideCalls: readonly AttemptRecord[] } {
  if (started.kind === "failed")
    return { sideCalls: started.attempts.map((attempt) => ({ ...attempt, side: true })) };
  if (started.kind === "stream") {
    started.source.cancel();
    started.controller.abort();
    return { sideCalls: [sideCall({ ...call, status: 502 })] };
  }
  const reply = collect(started.events);
  if ("failure" in reply) return { sideCalls: [sideCall({ ...call, status: 502 })] };
  const text = reply.blocks
    .flatMap((block) => (block.kind === "text" ? [block.text] : []))
    .join("");
  const guess = { ...call.guess, output: estimateTokens(text) };
  const record = sideCall({ ...call, guess, status: 200, usage: reply.usage });
  return {
    text,
    sideCalls: [...started.attempts.map((each) => ({ ...each, side: true as const })), record],
  };
}

/** What it used, as it is booked. What a judge does tells nothing of its health as an answering model. */
function sideCall({
  model,
  begun,
  status,
  usage,
  guess,
}: SideCall & { status: number; usage?: Usage }): AttemptRecord {
  const booked = bookedUsage(usage, guess);
  const terms = usage?.serviceTier === undefined ? {} : { serviceTier: usage.serviceTier };
  const cost = costOf(booked, billedPrices(model), terms);
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
