/** Reads back the notes of a reason line: what the log keeps of how a decision came about. */
import { maxReasonLength } from "./reason-line.ts";

/** Whether a conversation stayed with its model, and why, in the words of `stay-or-switch.ts`. */
export interface NotedSession {
  readonly verdict: string;
  readonly why: string;
}

/** The notes of a reason line, by what they are about. */
export interface DecisionNotes {
  /** Everything between the semicolons, without the tier. */
  readonly all: readonly string[];
  readonly session: NotedSession | undefined;
  /** Id of the first choice, where no limit allows it. */
  readonly beyondBudget: string | undefined;
  /** The model in its place, where its price is not known. */
  readonly unpriced: string | undefined;
  /** Why these models serve the tier; undefined where the harness names them, or the line had no room for it. */
  readonly models: string | undefined;
  /** Notes at its end may have been left out. */
  readonly full: boolean;
}

/** Longest note that a line is expected to leave out: one about models. */
const longestNote = 90;

/** Reads a line that `reasonLine` wrote; any other text has no notes that are known. */
export function readNotes(reason: string): DecisionNotes {
  const all = reason.split("; ").filter((note) => !note.startsWith("tier="));
  const valueOf = (name: string): string | undefined =>
    all.find((note) => note.startsWith(`${name}=`))?.slice(name.length + 1);
  return {
    all,
    session: sessionOf(valueOf("session")),
    beyondBudget: valueOf("beyond the budget"),
    unpriced: valueOf("price unknown"),
    models: valueOf("models"),
    full: reason.length > maxReasonLength - longestNote,
  };
}

/** `stay(48k warm, stay $0.1 vs $0.2)` */
function sessionOf(value: string | undefined): NotedSession | undefined {
  const found = /^(\w+)\((.*)\)$/.exec(value ?? "");
  const [, verdict, why] = found ?? [];
  return verdict === undefined || why === undefined ? undefined : { verdict, why };
}
