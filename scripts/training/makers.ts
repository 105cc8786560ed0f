/**
 * Who made the data: the wording and the labels of one maker's requests resemble each other, even across data sets.
 * So a fit is judged on the requests of one maker only if it has seen nothing of that maker.
 */
import type { LabelledRecord } from "./data.ts";

/** A data set of the training file. */
interface DataSource {
  /** Who labelled it: its requests are judged together. */
  readonly group: string;
  /** Who else had a part in it: wrote its questions, or those inside its requests. */
  readonly writers: readonly string[];
  /** Kinds of hand-written examples that were written after looking at it. */
  readonly imitatedBy: readonly string[];
}

const sources: Readonly<Record<string, DataSource>> = {
  "zeroeval-gsm": {
    group: "zeroeval",
    writers: ["openai"],
    imitatedBy: ["word", "tricky"],
  },
  "zeroeval-math-l5": {
    group: "zeroeval",
    writers: ["hendrycks"],
    imitatedBy: ["contest", "easycontest"],
  },
  "routellm-mmlu": {
    group: "lmsys",
    writers: ["hendrycks"],
    imitatedBy: ["easychoice", "calcchoice", "casechoice", "hardchoice"],
  },
  "arena-hard-v0.1": {
    group: "lmsys",
    writers: [],
    imitatedBy: ["hard", "debug"],
  },
  "exercism-python": {
    group: "exercism",
    writers: [],
    imitatedBy: ["code", "snippet", "exercise"],
  },
  proofnet: { group: "proofnet", writers: [], imitatedBy: ["proof"] },
  "bfcl-synth": { group: "bfcl", writers: [], imitatedBy: ["tool", "step"] },
  "bfcl-multiturn": { group: "bfcl", writers: [], imitatedBy: ["agent", "opener", "job"] },
  clinc150: { group: "clinc150", writers: [], imitatedBy: ["intent", "bank", "chat"] },
  // Titles and summaries of conversations, which LMSYS collected.
  housekeeping: { group: "housekeeping", writers: ["lmsys"], imitatedBy: ["chore"] },
};

/** A source that is not listed is a maker of its own. */
function sourceOf({ source }: Pick<LabelledRecord, "source">): DataSource {
  return sources[source] ?? { group: source, writers: [], imitatedBy: [] };
}

/** The group in which a record is judged: who labelled it. */
export function groupOf(record: Pick<LabelledRecord, "source">): string {
  return sourceOf(record).group;
}

/** Everyone who had a part in a record. */
export function makersOf(record: Pick<LabelledRecord, "source">): readonly string[] {
  const { group, writers } = sourceOf(record);
  return [group, ...writers];
}

/** Sources of the hand-written examples that imitate a record's source. */
export function imitationsOf(record: Pick<LabelledRecord, "source">): readonly string[] {
  return sourceOf(record).imitatedBy.map((kind) => `seed-${kind}`);
}
