/** What the formats' errors have in common: failures of the gateway's wording, and context overflows. */
import { tokenNumbers } from "./token-numbers.ts";
import type { Failure } from "../core/failure.ts";
import type { ErrorDetails } from "../core/format.ts";
import { Problem, problemCodes } from "../core/problem.ts";

/** A stream that ended without the end that its format demands. */
export const cutReply: Failure = {
  cause: "cut",
  status: 502,
  message: "The provider's stream ended before its answer was complete.",
};

/** A body without an answer. */
export const emptyReply: Failure = {
  cause: "empty",
  status: 502,
  message: "The provider's answer is empty.",
};

/** The message of an error status whose body has none. */
export function statusMessage(status: number): string {
  return `The provider answered with status ${status}.`;
}

/** The error for an answer that the client's format cannot express, thrown in place of writing it. */
export function unwritableReply(failure: Failure): Problem {
  return new Problem(problemCodes.internal, failure.message, { status: failure.status });
}

/** The code by which clients know that they must shorten the conversation. */
export const overflowCode = "context_length_exceeded";

/** Words in which OpenAI itself says it; clients look for them. */
const openAiWords = /maximum context length|context window/i;

/**
 * A context overflow in the form that clients of OpenAI's formats act on: "This model's maximum context length is
 * <limit> tokens. However, your messages resulted in <needed> tokens." The numbers are the provider's; what is needed is
 * estimated from `size` where it named the limit alone.
 */
export function openAiOverflow(
  { message }: Pick<Failure, "message">,
  size?: number,
): Pick<ErrorDetails, "message" | "type" | "code"> {
  return {
    message: openAiWords.test(message) ? message : contextTooShort(message, size),
    type: "invalid_request_error",
    code: overflowCode,
  };
}

function contextTooShort(message: string, size: number | undefined): string {
  const numbers = tokenNumbers(message);
  if (numbers.length === 0) return `This model's maximum context length was exceeded: ${message}`;
  const limit = Math.min(...numbers);
  const needed = numbers.length > 1 ? Math.max(...numbers) : Math.ceil((size ?? 0) / 4);
  return (
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ` +
    `${Math.max(needed, limit + 1)} tokens. Please reduce the length of the messages.`
  );
}

/** How providers say that a request is longer than the model's context window. */
const overflowPatterns = [
  /context[ _-]?(?:length|limit|window|size)/i,
  /maximum context/i,
  /exceeds? (?:the )?(?:model'?s? )?(?:maximum |available )?context/i,
  /prompt is too long/i,
  /input (?:(?:is|was) )?too long/i,
  /longer than the (?:model|context)/i,
  /too many (?:input )?tokens/i,
  /input token count/i,
  /maximum (?:number of )?(?:input )?tokens/i,
  /exceeds? (?:the )?(?:model'?s? )?max(?:imum)?[^.]{0,40}(?:tokens|length|input)/i,
  /reduce the length/i,
  /(?:exceed|larger than|longer than|greater than|over)[^.]{0,80}(?:token limit|maximum allowed (?:input )?(?:length|tokens))/i,
  /(?:prompt|input|request) (?:length|tokens)[^.]{0,60}exceed/i,
];

/** Limits of another kind are worded alike: of the answer's length, of tokens a minute. */
const otherLimits = /max_(?:completion_|output_)?tokens|rate limit|per minute|quota/i;
const surelyContext = /context|prompt is too long/i;

/** Characters of a message that are searched: a bound on that work. */
const longestSearched = 2000;

/** Whether a provider's error message says that the request does not fit in the model's context window. */
export function isOverflowText(message: string): boolean {
  const text = message.slice(0, longestSearched);
  if (otherLimits.test(text) && !surelyContext.test(text)) return false;
  return overflowPatterns.some((pattern) => pattern.test(text));
}

/** Whether a provider's error code or message says that the request does not fit in the model's context window. */
export function isOverflowError(code: string | undefined, message: string): boolean {
  return code === overflowCode || isOverflowText(message);
}
