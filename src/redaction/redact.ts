/**
 * Takes out of texts what must not be kept: e-mail addresses, secrets, card numbers, and what a harness's own patterns
 * match. Pure; the work grows as the text does, whatever stands in it.
 */
import type { JsonValue } from "../lib/json.ts";
import { findCards } from "./cards.ts";
import { compilePatterns, type PatternProgram } from "./compile-patterns.ts";
import { findEmails } from "./emails.ts";
import { findQuotes } from "./quotes.ts";
import { PatternFault } from "./read-pattern.ts";
import { PatternSearch } from "./search-patterns.ts";
import { findSecrets } from "./secrets.ts";
import { joinedSpans, placeholderPattern, type RedactedSpan, withoutSpans } from "./spans.ts";
import {
  indexIn,
  jsonView,
  plainView,
  searchedParts,
  type TextView,
  unescapedView,
} from "./text-view.ts";

/** The built-in rules, by name. */
export const redactionRules = ["email", "secret", "card"] as const;
type RedactionRule = (typeof redactionRules)[number];

/** Which rules hold for a harness: the built-in ones, all unless named, and patterns of its own. */
export interface RedactionSetting {
  readonly rules?: readonly RedactionRule[] | undefined;
  readonly patterns?: readonly string[] | undefined;
}

/** The same, ready for use. */
export interface Redaction {
  readonly rules: readonly RedactionRule[];
  readonly program: PatternProgram | undefined;
}

const finders: Readonly<Record<RedactionRule, (text: string) => RedactedSpan[]>> = {
  email: findEmails,
  secret: findSecrets,
  card: findCards,
};

/** Characters that are read beyond those that are kept, so that nothing is kept by half. */
const margin = 4_096;
/** Steps of the search for own patterns: a character, and in one text. What lies behind them is taken out. */
const workPerCharacter = 50;
const leastWork = 200_000;

/** What holds without a setting. */
export const everyRule: Redaction = { rules: redactionRules, program: undefined };

const remembered = new WeakMap<RedactionSetting, Redaction>();

/** The rules of a setting, made once a document. */
export function redactionOf(setting: RedactionSetting | undefined): Redaction {
  if (setting === undefined) return everyRule;
  const known = remembered.get(setting);
  if (known !== undefined) return known;
  const { rules = redactionRules, patterns = [] } = setting;
  const made = { rules, program: patterns.length === 0 ? undefined : programOf(patterns) };
  remembered.set(setting, made);
  return made;
}

/** Patterns are checked before they are stored. Should another version have stored others, no text is kept. */
function programOf(patterns: readonly string[]): PatternProgram {
  try {
    return compilePatterns(patterns);
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    return compilePatterns(["[\\s\\S]"]);
  }
}

/** A text, and how much of it is kept. */
export interface KeptText {
  readonly text: string;
  /** Characters. */
  readonly most: number;
}

/** The beginning of a text, redacted. */
export function redactedText({ text, most }: KeptText, redaction: Redaction): string {
  const window = text.slice(0, most + margin);
  return withoutSpans(window, spansIn(plainView(window), redaction), most);
}

/** An error, and the request that it may quote. */
export interface KeptErrorText extends KeptText {
  readonly request: JsonValue | undefined;
  /** The name of the model, which an error may say. */
  readonly model: string;
}

/** The beginning of an error, redacted, and without what it quotes of the request. */
export function redactedError(
  { text, most, request, model }: KeptErrorText,
  redaction: Redaction,
): string {
  const window = text.slice(0, most + margin);
  const spans = [...spansIn(plainView(window), redaction), ...findQuotes(window, request, model)];
  return withoutSpans(window, joinedSpans(spans), most);
}

/** The beginning of a JSON text, redacted; what is escaped in its texts is found too. */
export function redactedJson({ text, most }: KeptText, redaction: Redaction): string {
  const window = text.slice(0, most + margin);
  return withoutSpans(window, spansIn(jsonView(window), redaction), most);
}

function spansIn(view: TextView, { rules, program }: Redaction): RedactedSpan[] {
  const mostWork = Math.max(leastWork, workPerCharacter * view.text.length);
  const search = program && new PatternSearch(program, mostWork);
  const found = (seen: TextView): RedactedSpan[] =>
    [...ruleSpans(seen, rules), ...patternSpans(seen, search)].map(({ kind, from, to }) => ({
      kind,
      from: seen.at[from] ?? 0,
      to: seen.at[to] ?? 0,
    }));
  const unescaped = unescapedView(view);
  if (unescaped === undefined) return joinedSpans(found(view));
  const whole = found(view).map((span) => withWholeEscapes(span, unescaped));
  return joinedSpans([...whole, ...found(unescaped)]);
}

/** No escape is cut: what is left reads as it did before. */
function withWholeEscapes({ kind, from, to }: RedactedSpan, view: TextView): RedactedSpan {
  const [first, last] = [indexIn(view, from), indexIn(view, to)];
  const end = view.at[last] === to ? to : view.at[last + 1];
  return { kind, from: view.at[first] ?? from, to: end ?? to };
}

/** What touches a placeholder is what was left of something, and no more than that. */
function ruleSpans({ text }: TextView, rules: readonly RedactionRule[]): RedactedSpan[] {
  const spans = rules.flatMap((rule) => finders[rule](text));
  const found = [...text.matchAll(placeholderPattern)];
  if (found.length === 0) return spans;
  const starts = new Set(found.map(({ index }) => index));
  const ends = new Set(found.map(({ index, 0: placeholder }) => index + placeholder.length));
  return spans.filter(({ from, to }) => !ends.has(from) && !starts.has(to));
}

function patternSpans(view: TextView, search: PatternSearch | undefined): RedactedSpan[] {
  if (search === undefined) return [];
  return searchedParts(view).flatMap((part) =>
    search.find(view.text, part).map(({ from, to }) => ({ kind: "pattern", from, to }) as const),
  );
}
