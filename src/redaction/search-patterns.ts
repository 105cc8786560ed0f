/** Finds everything that any match of the patterns covers, in one pass: linear in the text, whatever the patterns are. */
import { hasCode } from "./char-set.ts";
import type { FirstSteps, PatternProgram } from "./compile-patterns.ts";

/** A part of a text: from its first index to behind its last. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

/** A part in which is searched, and whether it begins and ends a line. */
export interface SearchedPart extends TextPart {
  readonly startsLine: boolean;
  readonly endsLine: boolean;
}

/** Where matches that may still grow began, and the step that each waits at; earliest first. */
interface Threads {
  readonly steps: number[];
  readonly starts: number[];
}

/** A search through one text. Beyond its most steps everything counts as found: a text is never kept unseen. */
export class PatternSearch {
  readonly #program: PatternProgram;
  readonly #most: number;
  /** Per step: the round in which it was last reached. */
  readonly #reached: Uint32Array;
  #round = 0;
  #work = 0;
  /** Steps that are still to be looked at. */
  readonly #open: number[] = [];
  #live = noThreads();
  #next = noThreads();
  /** Whether a line ends behind the character. */
  #endsLine = false;

  constructor(program: PatternProgram, mostWork: number) {
    this.#program = program;
    this.#most = mostWork;
    this.#reached = new Uint32Array(program.steps.length);
  }

  /** Steps that the search took so far. */
  get work(): number {
    return this.#work;
  }

  /** What matches cover in this part, touching ones as one; in their order. */
  find(text: string, part: SearchedPart): TextPart[] {
    const found: TextPart[] = [];
    this.#live = noThreads();
    for (let at = part.from; at < part.to; at++) {
      if (this.#work > this.#most) {
        addPart(found, { from: this.#live.starts[0] ?? at, to: part.to });
        return found;
      }
      const code = text.charCodeAt(at);
      const entries = this.#entries(code, isLineStart(text, at, part));
      // Nothing has begun and nothing begins: the usual case.
      if (entries.length === 0 && this.#live.steps.length === 0) continue;
      this.#round += 1;
      this.#endsLine = isLineEnd(text, at + 1, part);
      const ended = this.#advance(code);
      // A thread began before whatever begins now.
      const start = this.#begin(entries, at) ? (ended ?? at) : ended;
      if (start !== undefined) addPart(found, { from: start, to: at + 1 });
      [this.#live, this.#next] = [this.#next, this.#live];
      this.#next.steps.length = 0;
      this.#next.starts.length = 0;
    }
    return found;
  }

  #entries(code: number, startsLine: boolean): readonly number[] {
    const { anywhere, atLineStart } = this.#program;
    if (code >= asciiCodes) this.#work += anywhere.others.length + atLineStart.others.length;
    const entries = entriesFor(anywhere, code);
    return startsLine ? [...entries, ...entriesFor(atLineStart, code)] : entries;
  }

  /** All threads over one character. Where the earliest match began that ends behind it. */
  #advance(code: number): number | undefined {
    const { steps, starts } = this.#live;
    let ended: number | undefined;
    for (let index = 0; index < steps.length; index++) {
      this.#work += 1;
      const step = this.#program.steps[steps[index] ?? 0];
      const start = starts[index];
      if (step?.kind !== "take" || start === undefined || !hasCode(step.set, code)) continue;
      if (this.#enter(step.next, start)) ended ??= start;
    }
    return ended;
  }

  /** The threads that begin with a character. Whether a match ends with it. */
  #begin(entries: readonly number[], at: number): boolean {
    let ends = false;
    for (const entry of entries) if (this.#enter(entry, at)) ends = true;
    return ends;
  }

  /** Puts the step's thread with the others, unless an earlier one is there. Whether a match ends here. */
  #enter(entry: number, start: number): boolean {
    const { steps } = this.#program;
    let ends = false;
    this.#open.push(entry);
    for (let at = this.#open.pop(); at !== undefined; at = this.#open.pop()) {
      this.#work += 1;
      if (this.#reached[at] === this.#round) continue;
      this.#reached[at] = this.#round;
      const step = steps[at];
      if (step?.kind === "take") {
        this.#next.steps.push(at);
        this.#next.starts.push(start);
      } else if (step?.kind === "fork") this.#open.push(step.second, step.first);
      else if (step?.kind === "done" && (!step.atLineEnd || this.#endsLine)) ends = true;
    }
    return ends;
  }
}

const lineFeed = 0x0a;
const asciiCodes = 128;

function noThreads(): Threads {
  return { steps: [], starts: [] };
}

function isLineStart(text: string, at: number, part: SearchedPart): boolean {
  return at === part.from ? part.startsLine : text.charCodeAt(at - 1) === lineFeed;
}

function isLineEnd(text: string, at: number, part: SearchedPart): boolean {
  return at === part.to ? part.endsLine : text.charCodeAt(at) === lineFeed;
}

function entriesFor({ ascii, others }: FirstSteps, code: number): readonly number[] {
  if (code < asciiCodes) return ascii[code] ?? [];
  return others.filter(({ set }) => hasCode(set, code)).map(({ next }) => next);
}

/** Adds a part that ends behind all others, as one with those that it touches. */
function addPart(parts: TextPart[], { from, to }: TextPart): void {
  let first = from;
  for (let last = parts.at(-1); last !== undefined && last.to >= from; last = parts.at(-1)) {
    first = Math.min(first, last.from);
    parts.pop();
  }
  parts.push({ from: first, to });
}
