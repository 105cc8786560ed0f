/** How the work has gone, read from the messages that clients send again: failing and repeating tool calls. */
import type { CallBlock, Message, ResultBlock } from "../core/request.ts";

export interface Trajectory {
  /** Failed results among the last ones. */
  failures: number;
  /** How often the most repeated of the last calls was made. */
  repeats: number;
}

/** Results and calls that are looked at. */
const window = 6;
/** Messages that are searched for them. */
const searched = 40;

/** Reads the last calls and results. */
export function trajectoryOf(messages: readonly Message[]): Trajectory {
  const calls: CallBlock[] = [];
  const results: ResultBlock[] = [];
  for (let at = messages.length - 1; at >= Math.max(0, messages.length - searched); at--) {
    for (const block of messages[at]?.blocks ?? []) {
      if (block.kind === "call" && calls.length < window) calls.push(block);
      if (block.kind === "result" && results.length < window) results.push(block);
    }
  }
  return { failures: results.filter(hasFailed).length, repeats: mostRepeated(calls) };
}

/** Tiers to go up: one when the last steps keep failing or go round in circles. */
export function raiseOf({ failures, repeats }: Trajectory): 0 | 1 {
  return failures >= 3 || repeats >= 3 ? 1 : 0;
}

function mostRepeated(calls: readonly CallBlock[]): number {
  const seen = new Map<string, number>();
  for (const { name, input } of calls) {
    const key = `${name} ${input.length} ${input.slice(0, 500)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...seen.values());
}

const failed =
  /^\s*(?:<tool_use_error>|error\b|exit code:? [1-9]|process exited with code [1-9]|command failed|traceback \(|fatal:|aborted\b)/i;
/** Shells report the code in a line of its own before or behind the output. */
const exitLine = /(?:^|\n)(?:exit code:?|process exited with code|"exit_code":)\s*[1-9]/i;

function hasFailed({ isError, blocks }: ResultBlock): boolean {
  if (isError === true) return true;
  const first = blocks.find((block) => block.kind === "text");
  if (first?.kind !== "text") return false;
  const head = first.text.slice(0, 300);
  return failed.test(head) || exitLine.test(head);
}
