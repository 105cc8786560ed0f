/** Asks the model that a harness names as its judge, through the same layers as every call. */
import type { SafeguardVerdict } from "../core/events.ts";
import type { ModelRequest } from "../core/request.ts";
import { newId } from "../lib/ids.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { askAside, plainRequest } from "./side-call.ts";
import type { Ask, Prepared, Upstream } from "./upstream.ts";
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
  /** Takes what the judge's call uses. */
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

/** Tokens of the judge's answer at most, its reasoning included. */
export const longestVerdict = 4_096;

function hubRequest({ orders, text }: Question, model: ListedModel): ModelRequest {
  const block = (words: string) => ({ kind: "text", text: words }) as const;
  return plainRequest({
    format: "chat",
    model: model.id,
    messages: [
      { role: "instruction", voice: "system", blocks: [block(orders)] },
      { role: "user", blocks: [block(text)] },
    ],
    maxOutput: longestVerdict,
  });
}

/** Most seconds for a verdict, and the share of the time for which a stream may be silent. */
const patience = 20;
const silentShare = 0.75;

/** The judge's words, if they came in time. */
async function answerTo(question: Question, given: JudgeCall): Promise<string | undefined> {
  const { ask, model, next, prepared, signal, booked } = given;
  const seconds = Math.min(patience, prepared.model.connection.timeouts.idle * silentShare);
  const request = hubRequest(question, model);
  const reply = await askAside({
    next,
    ask,
    model,
    request,
    signal,
    booked,
    patience: seconds * 1000,
  });
  return reply?.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("");
}
