/** A record's patterns, taken apart once and remembered by model. */
import type { KindRecord, ModelRule } from "../catalogue/record.ts";
import { globOf, type Glob } from "./glob.ts";

interface Compiled {
  rules: readonly { rule: ModelRule; globs: readonly Glob[] }[];
  exclude: readonly Glob[];
  /** By the provider's model id. */
  known: Map<string, readonly ModelRule[]>;
  excluded: Map<string, boolean>;
}

const compiled = new WeakMap<KindRecord, Compiled>();

/** Ids come from lists and from clients: the memory of them is bounded. */
const mostKnown = 8192;

function compiledOf(record: KindRecord): Compiled {
  let made = compiled.get(record);
  if (made === undefined) {
    made = {
      rules: (record.rules ?? []).map((rule) => ({ rule, globs: rule.match.map(globOf) })),
      exclude: (record.exclude ?? []).map(globOf),
      known: new Map(),
      excluded: new Map(),
    };
    compiled.set(record, made);
  }
  return made;
}

/** Rules of the record that hold for a provider's model id, in order. */
export function rulesFor(record: KindRecord, model: string): readonly ModelRule[] {
  const { rules, known } = compiledOf(record);
  let found = known.get(model);
  if (found === undefined) {
    const name = model.toLowerCase();
    found = rules.filter(({ globs }) => globs.some((fits) => fits(name))).map(({ rule }) => rule);
    if (known.size >= mostKnown) known.clear();
    known.set(model, found);
  }
  return found;
}

/** Whether the record says that no conversation can be held with this id. */
export function isExcluded(record: KindRecord, model: string): boolean {
  const { exclude, excluded } = compiledOf(record);
  let answer = excluded.get(model);
  if (answer === undefined) {
    const name = model.toLowerCase();
    answer = exclude.some((fits) => fits(name));
    if (excluded.size >= mostKnown) excluded.clear();
    excluded.set(model, answer);
  }
  return answer;
}
