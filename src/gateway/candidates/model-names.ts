/** Which names of models are the workspace's own: metrics and lines name no others, which are a client's text. */
import { lookup, type Directory } from "../../providers/models/directory.ts";
import type { HarnessEntry } from "../../store/config.ts";
import type { Plan } from "./candidates.ts";

type Naming = Pick<Plan, "directory" | "harness">;

/** Whether a list of the workspace's providers has the model, or the document names it. */
export function isModelNamed(id: string, { directory, harness }: Naming): boolean {
  return directory.byId.has(id) || isListedApart(id, directory) || namesIn(harness).has(id);
}

/** Models that hold no conversations are left out of lists, but are known by name. */
function isListedApart(id: string, { others }: Directory): boolean {
  const bare = id.slice(id.indexOf("/") + 1);
  return (
    others()
      .get(bare)
      ?.some((model) => model.id === id || id === bare) === true
  );
}

/** The name by which a client asked, where it is `auto`, an alias, or a model that is listed or named. */
export function ownNameOf(text: string, { directory, harness }: Naming): string | undefined {
  // What only a pattern of an alias takes is the client's text.
  const found = lookup(text, directory);
  const { kind } = found;
  // Any amount is a client's text.
  if (found.kind === "auto" && found.dial?.budget !== undefined) return "auto";
  const isListed = kind === "auto" || kind === "model" || isListedApart(text, directory);
  const isOwn = isListed || namesIn(harness).has(text);
  return isOwn ? text : undefined;
}

const kept = new WeakMap<HarnessEntry, ReadonlySet<string>>();

/** Every name of a model that the harness has: in its aliases, tiers, header rules and fallbacks. */
function namesIn(harness: HarnessEntry): ReadonlySet<string> {
  let names = kept.get(harness);
  if (names === undefined) kept.set(harness, (names = new Set(allNames(harness))));
  return names;
}

function allNames({ aliases = {}, routing = {} }: HarnessEntry): string[] {
  const { tiers = {}, headers = [], fallbacks = {} } = routing;
  return [
    ...Object.entries(aliases).flat(),
    ...Object.values(tiers).flatMap((chain) => chain ?? []),
    ...headers.flatMap(({ models }) => models),
    ...Object.keys(fallbacks),
    ...Object.values(fallbacks).flat(),
  ];
}
