/** A first answer of a model whose provider may not be saved yet: one short request, over the layers that every request takes. */
import type { Failure } from "../core/failure.ts";
import { collect, type Reply } from "../core/reply.ts";
import type { ModelRequest } from "../core/request.ts";
import { clientFormats } from "../formats/index.ts";
import { requestTimer } from "../lib/request-timer.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Credentials } from "../providers/connection/credentials.ts";
import { estimateRequest } from "../tokens/estimate.ts";
import { callRecord } from "./call-record.ts";
import { plainRequest, rewritten } from "./side-call.ts";
import type { Ask, Started, Upstream } from "./upstream.ts";

/** What the model said, or why it said nothing. `cost`: USD, missing where its price is not known; `ms`: of the whole call. */
export type FirstAnswer =
  | { readonly ok: true; readonly text: string; readonly ms: number; readonly cost?: number }
  | { readonly ok: false; readonly failure: Failure };

const prompt = "Say hello in one short sentence.";
/** Models that think first need more than the sentence takes. */
const mostTokens = 512;
const patience = 60_000;

/** Asks the model. Throws Problems M100, M300 and M303 where it cannot be called at all. */
export async function firstAnswer(
  upstream: Upstream,
  model: ListedModel,
  credentials: Credentials,
): Promise<FirstAnswer> {
  const begun = Date.now();
  const request = plainRequest({
    format: "chat",
    model: model.info.id,
    messages: [{ role: "user", blocks: [{ kind: "text", text: prompt }] }],
    maxOutput: Math.min(mostTokens, model.info.maxOutput ?? mostTokens),
  });
  const timer = requestTimer();
  try {
    const signal = AbortSignal.timeout(patience);
    const started = await upstream(askOf({ request, model, credentials, timer, signal }));
    return answerOf(started, { request, model, begun });
  } finally {
    timer.stop();
  }
}

interface Question {
  readonly request: ModelRequest;
  readonly model: ListedModel;
  readonly credentials: Credentials;
  readonly timer: Ask["timer"];
  readonly signal: AbortSignal;
}

function askOf({ request, model, credentials, timer, signal }: Question): Ask {
  return {
    request: rewritten(request),
    client: clientFormats.chat,
    rewritten: true,
    candidates: [model],
    cooling: {},
    attempted: [],
    parametersFor: () => ({}),
    asIs: false,
    credentials: () => credentials,
    timer,
    headers: new Headers(),
    query: "",
    signal,
  };
}

interface Call {
  readonly request: ModelRequest;
  readonly model: ListedModel;
  readonly begun: number;
}

function answerOf(started: Started, call: Call): FirstAnswer {
  if (started.kind === "failed") return { ok: false, failure: started.failures[0].failure };
  if (started.kind === "stream") {
    started.source.cancel();
    started.controller.abort();
    const message = "The provider streamed an answer that was asked for as a whole.";
    return { ok: false, failure: { cause: "wrong_type", status: 502, message } };
  }
  const reply = collect(started.events);
  if ("failure" in reply) return { ok: false, failure: reply.failure };
  const { model, begun, request } = call;
  const guess = { input: estimateRequest(request), output: request.maxOutput ?? 0 };
  const record = callRecord({ model, begun, status: 200, usage: reply.usage, guess });
  const { cost, ms } = record;
  return { ok: true, text: wordsOf(reply), ms, ...(cost !== undefined && { cost }) };
}

/** Its words; where it only thought, because the limit ended it, those. */
function wordsOf({ blocks }: Reply): string {
  const textOf = (kind: "text" | "refusal" | "thinking") =>
    blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join("");
  const said = [textOf("text"), textOf("refusal"), textOf("thinking")];
  return said.find((text) => text.trim() !== "")?.trim() ?? "";
}
