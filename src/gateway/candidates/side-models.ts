/** The models that a harness names for extra calls: to search the web, and to judge tool calls. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import { nonChatReason } from "../../routing/models/requirements.ts";
import { searchFormat } from "../../upstream/search/search-format.ts";
import type { Plan } from "./candidates.ts";
import { chainOf } from "./named-models.ts";

type Naming = Pick<Plan, "harness" | "directory">;

/** The harness names it itself, so that no list of models that keys may reach keeps it away. None that cannot search. */
export function searcherOf({ harness, directory }: Naming): ListedModel | undefined {
  const { web_search: setting } = harness;
  if (setting === undefined) return undefined;
  const { provider, model: name } = setting;
  if (provider === undefined) return undefined;
  const models =
    name === undefined
      ? directory.models.filter(({ connection }) => connection.id === provider)
      : chainOf([name.startsWith(`${provider}/`) ? name : `${provider}/${name}`], directory);
  return cheapest(models);
}

/** The search endpoint that it names in place of a provider. */
export function searchAddressOf({ harness }: Pick<Plan, "harness">): string | undefined {
  return harness.web_search?.url;
}

/** Whether anybody searches for models whose providers cannot. */
export function isSearchServed(naming: Naming): boolean {
  return searchAddressOf(naming) !== undefined || searcherOf(naming) !== undefined;
}

/** The harness names its judge itself, too. */
export function judgeOf({ harness, directory }: Naming): ListedModel | undefined {
  const { safeguard_model: name } = harness;
  return name === undefined ? undefined : chainOf([name], directory)[0];
}

/** Models without a price come last. */
function cheapest(models: readonly ListedModel[]): ListedModel | undefined {
  return models
    .filter((model) => nonChatReason(model) === undefined && searchFormat(model) !== undefined)
    .toSorted((a, b) => priceOf(a) - priceOf(b))[0];
}

function priceOf({ info: { prices } }: ListedModel): number {
  const { input, output } = prices ?? {};
  return input === undefined || output === undefined ? Infinity : input + output;
}
