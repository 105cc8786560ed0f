/** Models by the names that tiers, header rules and fallbacks give them. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { RoutingEntry } from "../../store/config.ts";
import { withoutAliases, type Directory } from "../../providers/models/directory.ts";

/** The models that these names mean, each once, in this order; names that nobody serves are left out. */
export function chainOf(names: readonly string[], directory: Directory): readonly ListedModel[] {
  const found = names.flatMap((name) => {
    const meaning = withoutAliases(name, directory);
    return meaning.kind === "model" || meaning.kind === "unread" ? meaning.model : [];
  });
  const [first, ...others] = found;
  return first === undefined ? [] : unique([first, ...others]);
}

/** Every name of a model in the tiers, roles and rules of a harness. */
export function namesIn(routing: RoutingEntry = {}): string[] {
  const { tiers, roles = {}, headers = [] } = routing;
  const inTiers = (entry: typeof tiers): string[] =>
    Object.values(entry ?? {}).flatMap((models) => models ?? []);
  return [
    ...inTiers(tiers),
    ...Object.values(roles).flatMap((role) => [...inTiers(role?.tiers), ...(role?.models ?? [])]),
    ...headers.flatMap(({ models }) => models),
  ];
}

/** Each model once, at its first place. */
export function unique(
  models: readonly [ListedModel, ...ListedModel[]],
): readonly [ListedModel, ...ListedModel[]] {
  const [first, ...others] = models;
  const rest = new Map(others.map((model) => [model.id, model]));
  rest.delete(first.id);
  return [first, ...rest.values()];
}
