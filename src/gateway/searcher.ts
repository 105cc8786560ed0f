/** Who searches the web for the requests of a harness. */
import type { ListedModel } from "../providers/connection/connection.ts";
import { nonChatReason } from "../routing/models/requirements.ts";
import { searchFormat } from "../upstream/search/search-format.ts";
import type { Plan } from "./candidates.ts";
import { chainOf } from "./named-models.ts";

/** The harness names it itself, so that no list of models that keys may reach keeps it away. None that cannot search. */
export function searcherOf({
  harness,
  directory,
}: Pick<Plan, "harness" | "directory">): ListedModel | undefined {
  const { web_search: setting } = harness;
  if (setting === undefined) return undefined;
  const { provider, model: name } = setting;
  const models =
    name === undefined
      ? directory.models.filter(({ connection }) => connection.id === provider)
      : chainOf([name.startsWith(`${provider}/`) ? name : `${provider}/${name}`], directory);
  return cheapest(models);
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
