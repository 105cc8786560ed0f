/**
 * Users' patterns as one automaton without backtracking (Thompson's construction). Repeats are written out, so the
 * number of its steps is bounded here, and with it the work a character.
 */
import { hasCode, type CharSet } from "./char-set.ts";
import { PatternFault, readPattern, type PatternNode, type PatternOption } from "./read-pattern.ts";

/** One step: take a character of the set, try both ways, or a match is complete. */
export type PatternStep =
  | { readonly kind: "take"; readonly set: CharSet; readonly next: number }
  | { readonly kind: "fork"; readonly first: number; readonly second: number }
  | { readonly kind: "done"; readonly atLineEnd: boolean };

/** Steps that take the first character of a match, by that character. */
export interface FirstSteps {
  /** By ASCII code: the steps behind it. */
  readonly ascii: readonly (readonly number[])[];
  /** Those that take others too. */
  readonly others: readonly { readonly set: CharSet; readonly next: number }[];
}

/** All patterns of a harness. */
export interface PatternProgram {
  readonly steps: readonly PatternStep[];
  readonly anywhere: FirstSteps;
  readonly atLineStart: FirstSteps;
}

const longestPattern = 200;
/** Steps of one pattern, its repeats written out. */
const mostSteps = 600;

/** Why a pattern can't be used, in plain words; undefined when it can. */
export function patternFault(text: string): string | undefined {
  try {
    compilePatterns([text]);
    return undefined;
  } catch (error) {
    if (error instanceof PatternFault) return error.message;
    throw error;
  }
}

/** The patterns as one program. Throws PatternFault. */
export function compilePatterns(texts: readonly string[]): PatternProgram {
  const steps: PatternStep[] = [];
  const entries: Record<"anywhere" | "atLineStart", number[]> = { anywhere: [], atLineStart: [] };
  for (const text of texts) {
    const writer = new StepWriter(steps);
    for (const option of checkedPattern(text)) {
      const entry = writer.write(
        option.node,
        writer.add({ kind: "done", atLineEnd: option.atLineEnd }),
      );
      entries[option.atLineStart ? "atLineStart" : "anywhere"].push(entry);
    }
  }
  return {
    steps,
    anywhere: firstSteps(steps, entries.anywhere),
    atLineStart: firstSteps(steps, entries.atLineStart),
  };
}

function checkedPattern(text: string): readonly PatternOption[] {
  if (text.length > longestPattern)
    throw new PatternFault(`has ${text.length} characters: at most ${longestPattern} are allowed`);
  const options = readPattern(text);
  if (options.some(({ node }) => isNullable(node)))
    throw new PatternFault("matches empty text: it must match at least one character");
  return options;
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case "char":
      return false;
    case "sequence":
      return node.parts.every(isNullable);
    case "choice":
      return node.options.some(isNullable);
    case "repeat":
      return node.least === 0 || isNullable(node.node);
    default:
      return node satisfies never;
  }
}

/** Writes from the end to the beginning: each step knows what comes behind it. */
class StepWriter {
  readonly #steps: PatternStep[];
  readonly #most: number;

  constructor(steps: PatternStep[]) {
    this.#steps = steps;
    this.#most = steps.length + mostSteps;
  }

  add(step: PatternStep): number {
    if (this.#steps.length === this.#most)
      throw new PatternFault(`has too many repeats: more than ${mostSteps} parts when expanded`);
    return this.#steps.push(step) - 1;
  }

  /** The step with which the node begins; behind it comes `next`. */
  write(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "char":
        return this.add({ kind: "take", set: node.set, next });
      case "sequence":
        return node.parts.reduceRight((behind, part) => this.write(part, behind), next);
      case "choice":
        return this.#choice(node.options, next);
      case "repeat":
        return this.#repeat(node, next);
      default:
        return node satisfies never;
    }
  }

  #choice(options: readonly PatternNode[], next: number): number {
    return options
      .map((option) => this.write(option, next))
      .reduceRight((second, first) => this.add({ kind: "fork", first, second }));
  }

  #repeat({ node, least, most }: Extract<PatternNode, { kind: "repeat" }>, next: number): number {
    let entry = next;
    let needed = least;
    if (most === undefined) {
      const loop = this.#loop(node, next);
      entry = least === 0 ? loop.fork : loop.body;
      needed = Math.max(0, least - 1);
    } else {
      for (let extra = most - least; extra > 0; extra--)
        entry = this.add({ kind: "fork", first: this.write(node, entry), second: next });
    }
    for (; needed > 0; needed--) entry = this.write(node, entry);
    return entry;
  }

  #loop(node: PatternNode, next: number): { fork: number; body: number } {
    const fork = this.add({ kind: "fork", first: next, second: next });
    const body = this.write(node, fork);
    this.#steps[fork] = { kind: "fork", first: body, second: next };
    return { fork, body };
  }
}

function firstSteps(steps: readonly PatternStep[], entries: readonly number[]): FirstSteps {
  const takes = takesFrom(steps, entries);
  const ascii = Array.from({ length: 128 }, (_, code) =>
    takes.filter(({ set }) => hasCode(set, code)).map(({ next }) => next),
  );
  return { ascii, others: takes.filter(({ set: { ranges } }) => (ranges.at(-1)?.[1] ?? 0) > 127) };
}

function takesFrom(
  steps: readonly PatternStep[],
  entries: readonly number[],
): Extract<PatternStep, { kind: "take" }>[] {
  const takes: Extract<PatternStep, { kind: "take" }>[] = [];
  const seen = new Set<number>();
  const open = [...entries];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const step = steps[at];
    if (step === undefined || seen.has(at)) continue;
    seen.add(at);
    if (step.kind === "take") takes.push(step);
    else if (step.kind === "fork") open.push(step.first, step.second);
  }
  return takes;
}
