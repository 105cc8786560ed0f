/** What became of a decision: whether the conversation stayed with its model, which models failed, what was asked beside. */
import type { NotedSession } from "./decision-notes.ts";
import type { NameOf, ToldAttempt, ToldDecision } from "./told-decision.ts";
import { inWords } from "./tier-words.ts";

const stayWords: Readonly<Record<string, string>> = {
  "tool loop": "Stayed: a tool loop is running",
  "kept there": "Stayed: only its provider has the earlier responses",
  compaction: "Stayed: it has the conversation in its cache",
  "its reasoning": "Stayed: no other provider could read its reasoning",
  "price unknown": "Stayed: without a known price, switching cannot be compared",
  cold: "Stayed: it is still the right model",
  "still failing": "Stayed: the work before failed or was complained of",
};

const switchWords: Readonly<Record<string, string>> = {
  up: "Switched: the conversation's model was too weak for this",
  cold: "Switched: nothing of the conversation was cached anymore",
  "model cannot serve this": "Switched: the conversation's model cannot serve this",
  "serves no tier": "Switched: the conversation's model no longer serves a tier",
  "beyond the budget": "Switched: the conversation's model is over budget",
};

/** Whether the conversation stayed with its model; undefined for a new one. */
export function sessionWords(session: NotedSession | undefined): string | undefined {
  if (session === undefined) return undefined;
  const { verdict, why } = session;
  if (verdict === "raise")
    return `Went up to a stronger model: ${uncapitalized(failureSentence(why))}`;
  const compared = /^(\S+) warm, stay \$(\S+) vs \$(\S+)$/.exec(why);
  if (compared !== null) return comparedWords(verdict, compared);
  const warm = /^warm (\S+)$/.exec(why)?.[1];
  if (warm !== undefined && warm !== "0")
    return `Stayed: ${warm} tokens of the conversation are cached there`;
  if (warm !== undefined) return stayWords["cold"];
  return (verdict === "stay" ? stayWords : switchWords)[why];
}

const numberWords = ["no", "one", "two", "three", "four", "five", "six"];

const complaintWords: Readonly<Record<string, string>> = {
  "said to be wrong": "The user said that the work before was wrong",
  "asked again": "The user asked for the same again",
  interrupted: "The user interrupted the answer before",
};

/** What failed, by the words of `session/escalation.ts`; without a full stop. */
export function failureSentence(why: string): string {
  const [, failed, steps] = /^(\d+) of (\d+) results failed$/.exec(why) ?? [];
  if (failed !== undefined && failed === steps)
    return failed === "1"
      ? "The last tool call failed"
      : `The last ${numberWord(failed)} tool calls failed`;
  if (failed !== undefined)
    return `${capitalized(numberWord(failed))} of the last ${numberWord(steps)} tool calls failed`;
  const [, alike] = /^same failure (\d+) times$/.exec(why) ?? [];
  if (alike === "1") return "The last tool call failed";
  if (alike !== undefined)
    return `The same failure came ${alike === "2" ? "twice" : `${numberWord(alike)} times`}`;
  const [, times] = /^same call and result (\d+) times$/.exec(why) ?? [];
  if (times !== undefined)
    return `The same tool call gave the same result ${times === "2" ? "twice" : `${numberWord(times)} times`}`;
  const [, flawed] = /^(\d+) unusable answers in a row$/.exec(why) ?? [];
  if (flawed !== undefined)
    return flawed === "1"
      ? "The last answer was empty, cut off, refused, or called tools wrongly"
      : `The last ${numberWord(flawed)} answers were empty, cut off, refused, or called tools wrongly`;
  return complaintWords[why] ?? "The work before failed";
}

function numberWord(digits = ""): string {
  return numberWords[Number(digits)] ?? digits;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function uncapitalized(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function comparedWords(verdict: string, [, cached, stay, change]: RegExpExecArray): string {
  const difference = dollarText(Math.abs(Number(change) - Number(stay)));
  return verdict === "stay"
    ? `Stayed: switching would cost ${difference} more (${cached} tokens are cached there)`
    : `Switched: staying would cost ${difference} more, cache included`;
}

function dollarText(amount: number): string {
  if (amount === 0) return "$0";
  if (amount >= 1) return `$${amount.toFixed(2)}`;
  return `$${amount.toFixed(Math.min(8, 1 - Math.floor(Math.log10(amount))))}`;
}

/** Which models failed and who answered; undefined where the first one did. */
export function failureWords(
  { attempts, model, left }: Pick<ToldDecision, "attempts" | "model" | "left">,
  nameOf: NameOf,
): string | undefined {
  const failed = failedModels(attempts, nameOf);
  if (failed.length === 0) return left === true ? "The client left before the end" : undefined;
  if (model === null || model === undefined) return `No answer: ${inWords(failed)}`;
  if (attempts.at(-1)?.outcome === "failed" && answers(attempts).at(-1)?.model === model)
    return `The answer broke off: ${inWords(failed)}`;
  const again = answers(attempts)[0]?.model === model ? " when asked again" : "";
  return `${inWords(failed)}, so ${nameOf(model)} answered${again}`;
}

/** `GPT failed (429)`, each model once with its last status. */
function failedModels(attempts: readonly ToldAttempt[], nameOf: NameOf): string[] {
  const statuses = new Map<string, number>();
  for (const { model, status, outcome } of answers(attempts))
    if (outcome === "failed") statuses.set(model, status);
  return Array.from(statuses, ([model, status]) => `${nameOf(model)} failed (${status})`);
}

function answers(attempts: readonly ToldAttempt[]): ToldAttempt[] {
  return attempts.filter(({ side }) => side !== true);
}

/** Calls of the gateway's own beside the answer; undefined where there were none. */
export function sideWords(attempts: readonly ToldAttempt[], nameOf: NameOf): string | undefined {
  const side = attempts.filter((attempt) => attempt.side === true);
  if (side.length === 0) return undefined;
  const models = [...new Set(side.map(({ model }) => nameOf(model)))];
  return `${side.length} ${side.length === 1 ? "extra call" : "extra calls"} went to ${inWords(models)}`;
}
