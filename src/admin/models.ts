/** The models that keys can route to, and the tiers that are filled from them, as the API and the pages show them. */
import type { Prices } from "../core/model.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Directory } from "../providers/models/directory.ts";
import { tierTable } from "../routing/models/tier-candidates.ts";
import type { HarnessEntry } from "../store/config.ts";

export interface ShownModel {
  id: string;
  name: string | null;
  provider: string;
  subscription: boolean;
  context_window: number | null;
  max_output: number | null;
  input_modalities: string[];
  features: string[];
  /** USD per million tokens; null where it is unknown. */
  cost: {
    input: number | null;
    output: number | null;
    cache_read: number | null;
    cache_write: number | null;
  };
}

/** In the order of the configuration. */
export function shownModels(directory: Directory): ShownModel[] {
  return directory.models.map(shownModel);
}

function shownModel({ id, connection, info }: ListedModel): ShownModel {
  return {
    id,
    name: info.displayName ?? null,
    provider: connection.id,
    subscription: connection.subscription,
    context_window: info.contextWindow ?? null,
    max_output: info.maxOutput ?? null,
    input_modalities: info.inputModalities ?? [],
    features: info.features ?? [],
    cost: shownPrices(info.prices),
  };
}

function shownPrices(prices: Prices | undefined): ShownModel["cost"] {
  return {
    input: prices?.input ?? null,
    output: prices?.output ?? null,
    cache_read: prices?.cacheRead ?? null,
    cache_write: prices?.cacheWrite ?? null,
  };
}

export interface ShownTier {
  tier: string;
  models: string[];
  /** configured: the harness names them; filled: computed from what is connected. */
  origin: "configured" | "filled";
  why: string;
}

/** Every tier of the harness with the models that serve it now, and why these. */
export function shownTiers(directory: Directory, harness: HarnessEntry): ShownTier[] {
  const table = tierTable(directory.models, harness.routing);
  return Object.entries(table).map(([tier, { models, origin, why }]) => ({
    tier,
    models: models.map(({ id }) => id),
    origin,
    why,
  }));
}
