/** The texts of requests, answers and errors as they may be kept: redacted, and cut. */
import { jsonBeginning } from "../lib/json-stream.ts";
import {
  everyRule,
  redactedError,
  redactedJson,
  redactedText,
  redactionOf,
} from "../redaction/redact.ts";
import { type JsonObject } from "../lib/json.ts";
import { pick } from "../translation/describe.ts";
import type { HarnessEntry } from "../store/config.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import type { Identified } from "./identify.ts";
import type { Parsed } from "./parse.ts";

/** Characters that are kept: of a request and of an answer, and of an error. */
const longestText = 20_000;
const longestError = 500;
/** Characters of a request that are written to be redacted: more than are read for what is kept. */
const longestRead = 2 * longestText;

/** Request and answer by the rules of the harness: what the log and collectors get is this and nothing else. */
export function keptTexts(
  asked: Pick<Parsed, "request" | "client">,
  answer: string,
  harness: HarnessEntry,
): { request: string; answer: string } {
  const text = jsonBeginning(keptBody(asked), longestRead);
  const request = { text, most: longestText };
  return {
    request: redactedJson(request, redactionOf(harness.redact)),
    answer: keptText(answer, harness),
  };
}

/** The request without the parts that describe the user's machine. */
function keptBody({
  request: { body },
  client: { unkept = [] },
}: Pick<Parsed, "request" | "client">): JsonObject {
  if (!unkept.some((name) => Object.hasOwn(body, name))) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unkept.includes(name)));
}

/** One text of a request or of an answer by itself. */
export function keptText(text: string, { redact }: HarnessEntry): string {
  return redactedText({ text, most: longestText }, redactionOf(redact));
}

/** The provider that the error came from, if known. */
export interface ErrorOrigin {
  readonly stage: Identified | Parsed;
  readonly harness: HarnessEntry | undefined;
}

/**
 * An error. Providers quote requests and echo credentials in theirs, and rows are kept without texts too: every rule holds,
 * and where texts are not kept, what it quotes is taken out.
 */
export function keptError(text: string, { stage, harness }: ErrorOrigin): string {
  const { program } = redactionOf(harness?.redact);
  const parsed = "request" in stage ? stage.request : undefined;
  // Files are not searched for what an error quotes of them.
  if (parsed?.operation?.content.kind === "form" && harness?.log_text !== true) return unkeptError;
  const request =
    parsed && (harness?.log_text === true ? unkeptPart(parsed.body, stage) : parsed.body);
  const model = harness?.log_text === true ? "" : (parsed?.description.model ?? "");
  return redactedError({ text, most: longestError, request, model }, { ...everyRule, program });
}

/**
 * An error of a call that said more than the client's request: the answer so far, what was searched for or found, or what a
 * judge was shown. Which of its words quote that cannot be told, so it is kept only where texts are.
 */
export function keptSideError(text: string, origin: ErrorOrigin): string {
  return origin.harness?.log_text === true ? keptError(text, origin) : unkeptError;
}

const unkeptError = "The provider's message was not stored, because it may quote the request.";

/** What is kept nowhere, not even where texts are. */
function unkeptPart(body: JsonObject, { client }: Identified | Parsed): JsonObject | undefined {
  const found = (client.unkept ?? []).filter((name) => Object.hasOwn(body, name));
  return found.length === 0 ? undefined : pick(body, found);
}

/** Failed attempts, with their errors as they may be kept: an error that came again is compared with the request once. */
export function keptAttempts(
  attempts: readonly AttemptRecord[],
  origin: ErrorOrigin,
): AttemptRecord[] {
  const known = new Map<string, string>();
  return attempts.map((attempt) => {
    const { error, side } = attempt;
    if (error === undefined) return attempt;
    if (side === true) return { ...attempt, error: keptSideError(error, origin) };
    const kept = known.get(error) ?? keptError(error, origin);
    known.set(error, kept);
    return { ...attempt, error: kept };
  });
}
