/**
 * Names under which usage is added up by model. A provider without a list takes any name that a client makes up, and
 * each would be a row of sums for ever: so only so many names of a provider count separately on one day.
 */

/** Names of one provider that count separately on one day. */
const mostOfProvider = 200;
/** The same of all providers together. */
const mostNames = 1000;

/** The names that were counted on the day that began at `day`, epoch ms. */
export interface ModelNames {
  day: number;
  /** `<connection>/<model>`. */
  names: Set<string>;
}

/** What is asked of `countedName`. */
export interface NameQuestion {
  /** Start of today, epoch ms. */
  day: number;
  /** Whether the document lists the model: such names always count separately. */
  isListed: (model: string) => boolean;
}

/** The name under which the model's usage is added up: its own, or `<connection>/*`. New names are remembered. */
export function countedName(
  known: ModelNames,
  model: string,
  { day, isListed }: NameQuestion,
): string {
  if (known.day !== day) {
    known.day = day;
    known.names.clear();
  }
  const slash = model.indexOf("/");
  if (slash < 0 || known.names.has(model) || isListed(model)) return model;
  const provider = model.slice(0, slash + 1);
  if (known.names.size >= mostNames || countOf(known.names, provider) >= mostOfProvider)
    return `${provider}*`;
  known.names.add(model);
  return model;
}

function countOf(names: ReadonlySet<string>, provider: string): number {
  let count = 0;
  for (const name of names) if (name.startsWith(provider)) count += 1;
  return count;
}
