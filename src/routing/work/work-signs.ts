/** What an agent's work shows: failed and repeated steps, and what the human says of the work before. */
import type { Block, CallBlock, Message, ResultBlock } from "../../core/request.ts";
import type { Complaint, WorkSigns, WorkStep } from "../contract/work.ts";
import { messageText, truncateAsk } from "../request/human-text.ts";
import type { RoutingView } from "../request/request-view.ts";
import { areNearlySame } from "../request/same-ask.ts";
import { complains } from "./complaint.ts";
import { hasFailed, runsCommand } from "./failed-result.ts";

/** Steps that are examined. */
export const examinedSteps = 6;
/** Messages that are searched for them, from the end. */
const searchedMessages = 60;

/** Reads the last steps. Its cost is bounded, however long the conversation is. */
export function workSigns(messages: readonly Message[], view: RoutingView): WorkSigns {
  const { calls, inToolLoop, askAt } = view;
  if (calls === 0 && view.asks < 2) return { steps: [], calls, leftFailing: false };
  const from = Math.max(askAt, messages.length - searchedMessages);
  if (inToolLoop || hasCalls(messages, from))
    return { steps: lastSteps(messages, from, examinedSteps), calls, leftFailing: false };
  const [last] = lastSteps(messages, Math.max(0, messages.length - searchedMessages), 1);
  const complaint = view.goesOn ? undefined : complaintOf(messages, view);
  return {
    steps: [],
    calls,
    leftFailing: last?.failed === true,
    ...(complaint !== undefined && { complaint }),
  };
}

/** The human only said to go on: the steps before belong to the same ask. */
function hasCalls(messages: readonly Message[], from: number): boolean {
  for (let at = messages.length - 1; at > from; at--)
    if (messages[at]?.blocks.some(({ kind }) => kind === "call") === true) return true;
  return false;
}

function lastSteps(messages: readonly Message[], from: number, most: number): WorkStep[] {
  const results: ResultBlock[] = [];
  const calls = new Map<string, CallBlock>();
  for (let at = messages.length - 1; at >= from; at--) {
    const blocks = messages[at]?.blocks ?? [];
    for (let place = blocks.length - 1; place >= 0; place--) {
      const block = blocks[place];
      if (block?.kind === "result" && results.length < most) results.push(block);
      else if (block?.kind === "call" && !calls.has(block.id)) calls.set(block.id, block);
    }
    if (results.length === most && results.every(({ id }) => calls.has(id))) break;
  }
  return results.map((result) => stepOf(result, calls.get(result.id)));
}

function stepOf(result: ResultBlock, call: CallBlock | undefined): WorkStep {
  const failed = hasFailed(result, call);
  return {
    failed,
    key: keyOf(result, call),
    ...(failed && call !== undefined && { failure: failureKey(result, call) }),
  };
}

/** What differs from run to run of the same failing command: durations, times, ids of output. */
const volatile =
  /\b\d+(?:[.,]\d+)?\s?(?:ms|s|secs?|seconds?|m|min|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\b(?:chunk|process|session) id:? \w+/gi;

/**
 * A command fails in the same way where it prints the same; an edit or a call against its schema where the first line of the
 * refusal is the same, because no attempt repeats the one before.
 */
function failureKey({ blocks }: ResultBlock, call: CallBlock): string {
  const text = blocks[0]?.kind === "text" ? blocks[0].text : "";
  if (!runsCommand(call)) return `${call.name} ${text.slice(0, comparedLength).split("\n", 1)[0]}`;
  const ends = text.slice(0, comparedLength) + text.slice(comparedLength).slice(-comparedLength);
  return `${call.name} ${call.input.slice(0, comparedLength)} ${ends.replaceAll(volatile, "")}`;
}

/** Tools that wait for something are called again with right. */
const waitingTool = /wait|poll|sleep|status|stdin|bashoutput|taskoutput/i;
/** Characters of a call and of its result that tell steps apart. */
const comparedLength = 400;

function keyOf({ id, blocks }: ResultBlock, call: CallBlock | undefined): string {
  if (call === undefined || waitingTool.test(call.name)) return id;
  const { name, input } = call;
  const text = blocks[0]?.kind === "text" ? blocks[0].text : "";
  return `${name} ${input.length} ${input.slice(0, comparedLength)} ${text.length} ${text.slice(0, comparedLength)}`;
}

/** Shorter asks are repeated with right: "run the tests". */
const fewestRepeatedWords = 6;

function complaintOf(messages: readonly Message[], view: RoutingView): Complaint | undefined {
  const { ask, askAt } = view;
  if (complains(ask)) return "said to be wrong";
  const repeats = (before: string): boolean => areNearlySame(before, ask, fewestRepeatedWords);
  if (asksBefore(messages, askAt).some(repeats)) return "asked again";
  return wasInterrupted(messages) ? "interrupted" : undefined;
}

/** Asks that a new one is compared with: between an ask and its repetition there may be a complaint. */
const comparedAsks = 2;

/** The newest first. */
function asksBefore(messages: readonly Message[], askAt: number): string[] {
  const asks: string[] = [];
  for (let at = askAt - 1; at >= Math.max(0, askAt - searchedMessages); at--) {
    const message = messages[at];
    if (message?.role !== "user" || message.blocks.some(({ kind }) => kind === "result")) continue;
    const { human } = messageText(message);
    if (human !== "") asks.push(truncateAsk(human));
    if (asks.length === comparedAsks) break;
  }
  return asks;
}

/** What clients write where the human stopped the answer. Lower case. */
const interruptions = ["[request interrupted by user", "<turn_aborted>"];

/** Whether the human stopped the last answer. */
function wasInterrupted(messages: readonly Message[]): boolean {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role === "assistant") return false;
    if (message?.role === "user" && message.blocks.some(isInterruption)) return true;
  }
  return false;
}

function isInterruption(block: Block): boolean {
  if (block.kind !== "text") return false;
  const head = block.text.slice(0, 64).trimStart().toLowerCase();
  return interruptions.some((words) => head.startsWith(words));
}
