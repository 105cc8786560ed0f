/** Who searches the web for the requests of a harness. */
import { targetOf } from "../providers/connection/target.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { nonChatReason } from "../routing/models/requirements.ts";
import type { Plan } from "./candidates.ts";
import { chainOf } from "./named-models.ts";

/** The harness names it itself, so that no list of models that keys may reach keeps it away. */
export function searcherOf({ harness, directory }: Plan): ListedModel | undefined {
  const { web_search: setting } = harness;
  if (setting === undefined) return undefined;
  const { provider, model: name } = setting;
  return name === undefined
    ? cheapest(directory.models.filter(({ connection }) => connection.id === provider))
    : chainOf([name.startsWith(`${provider}/`) ? name : `${provider}/${name}`], directory)[0];
}

/** Models without a price come last. */
function cheapest(models: readonly ListedModel[]): ListedModel | undefined {
  const able = models.filter(
    (model) =>
      nonChatReason(model) === undefined && targetOf(model, "messages", false).traits.webSearch,
  );
  return able.toSorted((a, b) => priceOf(a) - priceOf(b))[0];
}

function priceOf({ info: { prices } }: ListedModel): number {
  const { input, output } = prices ?? {};
  return input === undefined || output === undefined ? Infinity : input + output;
}
