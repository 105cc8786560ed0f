/** How the work with tools went so far, read from the messages that clients send again. */
import type { CallBlock, Message, ResultBlock } from "../../core/request.ts";

/** Failing and repeating among the last tool calls. */
export interface ToolTrajectory {
  /** Failed results among the last six. */
  readonly failures: number;
  /** How often the most repeated of the last six calls was made. */
  readonly repeats: number;
}

/** Calls and results that are examined. */
const examined = 6;
/** Messages that are searched for them, from the end. */
const searchedMessages = 40;

/** Reads the last calls and results. */
export function toolTrajectory(messages: readonly Message[]): ToolTrajectory {
  const calls: CallBlock[] = [];
  const results: ResultBlock[] = [];
  for (let at = messages.length - 1; at >= Math.max(0, messages.length - searchedMessages); at--) {
    for (const block of messages[at]?.blocks ?? []) {
      if (block.kind === "call" && calls.length < examined) calls.push(block);
      if (block.kind === "result" && results.length < examined) results.push(block);
    }
  }
  return { failures: results.filter(hasFailed).length, repeats: mostRepeated(calls) };
}

/** Whether the last steps keep failing or repeating: the work then needs one tier more. */
export function isStuck({ failures, repeats }: ToolTrajectory): boolean {
  return failures >= 3 || repeats >= 3;
}

function mostRepeated(calls: readonly CallBlock[]): number {
  const counts = new Map<string, number>();
  for (const { name, input } of calls) {
    const key = `${name} ${input.length} ${input.slice(0, 500)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

const failureStart =
  /^\s*(?:<tool_use_error>|error\b|exit code:? [1-9]|process exited with code [1-9]|command failed|traceback \(|fatal:|aborted\b)/i;
/** Shell tools report the exit code on a line of its own before or after the output. */
const exitCodeLine = /(?:^|\n)(?:exit code:?|process exited with code|"exit_code":)\s*[1-9]/i;

function hasFailed({ isError, blocks }: ResultBlock): boolean {
  if (isError === true) return true;
  const first = blocks.find((block) => block.kind === "text");
  if (first?.kind !== "text") return false;
  const head = first.text.slice(0, 300);
  return failureStart.test(head) || exitCodeLine.test(head);
}
