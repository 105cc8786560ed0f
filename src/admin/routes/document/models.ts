/** The models that keys can route to. */
import * as z from "zod";
import type { ListedModel } from "../../../providers/connection/connection.ts";
import type { Directory } from "../../../providers/models/directory.ts";
import { billedPrices } from "../../../providers/models/billed-prices.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { readSnapshot } from "../../shared/scope.ts";

/** USD per million tokens; null where it is unknown. */
const price = z.number().nullable();

const modelViewSchema = z.strictObject({
  /** `<connection>/<model>`. */
  id: z.string(),
  name: z.string().nullable(),
  provider: z.string(),
  subscription: z.boolean(),
  context_window: z.number().nullable(),
  max_output: z.number().nullable(),
  input_modalities: z.array(z.string()),
  features: z.array(z.string()),
  cost: z.strictObject({ input: price, output: price, cache_read: price, cache_write: price }),
});
/** A model with what is known of it. */
export type ModelView = z.infer<typeof modelViewSchema>;

/** Every model of the directory, in the order of the configuration. */
export function listModels(directory: Directory): ModelView[] {
  return directory.models.map(modelView);
}

function modelView(listed: ListedModel): ModelView {
  const { id, connection, info } = listed;
  const prices = billedPrices(listed);
  return {
    id,
    name: info.displayName ?? null,
    provider: connection.id,
    subscription: connection.subscription,
    context_window: info.contextWindow ?? null,
    max_output: info.maxOutput ?? null,
    input_modalities: info.inputModalities ?? [],
    features: info.features ?? [],
    cost: {
      input: prices?.input ?? null,
      output: prices?.output ?? null,
      cache_read: prices?.cacheRead ?? null,
      cache_write: prices?.cacheWrite ?? null,
    },
  };
}

/** The routes of models. */
export const adminModelRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/models",
      summary: "Models that keys can route to",
      access: "read-own",
      status: 200,
      answer: z.strictObject({ data: z.array(modelViewSchema) }),
    },
    async (_input, { scope, services, waitUntil }) => {
      const directory = await services.freshDirectory(await readSnapshot(scope), waitUntil);
      return { data: listModels(directory) };
    },
  ),
] as const;
