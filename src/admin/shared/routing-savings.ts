/** What the requests of `auto` would have cost on the best model, had it served all of them. Pure. */
import type { Directory } from "../../providers/models/directory.ts";
import { billedPrices } from "../../providers/models/billed-prices.ts";
import { wallOf, withinWall } from "../../providers/models/wall.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import { capabilityOf } from "../../routing/models/capability.ts";
import { tierTable } from "../../routing/models/tier-candidates.ts";
import type { Config, HarnessEntry } from "../../store/config.ts";
import { choiceSeparator, type SumRow } from "../../workspace/contract/reports.ts";
import { ratesFor, toDollars } from "../../workspace/rules/sums/cost.ts";

/** The comparison; amounts in USD. */
export interface RoutingSavings {
  /** Id of the best model; of several harnesses the one of most requests. Null: none serves a tier. */
  readonly best: string | null;
  /** Requests that are compared. */
  readonly requests: number;
  /** What they cost. */
  readonly cost: number;
  /** What they would have cost. */
  readonly bestCost: number;
  /** Requests of `auto` that are not compared: their model or the best one has no known price. */
  readonly unpriced: number;
}

/** What is added up, in picodollars. */
interface Sums {
  requests: number;
  unpriced: number;
  cost: number;
  bestCost: number;
}

/** `rows`: sums by harness, tier and model. */
export function routingSavings(
  rows: readonly SumRow[],
  { config, directory }: { config: Config; directory: Directory },
): RoutingSavings {
  const bests = new Map<string, ListedModel | undefined>();
  const requests = new Map<string, number>();
  const sums: Sums = { requests: 0, unpriced: 0, cost: 0, bestCost: 0 };
  for (const row of rows) {
    const { harness, tier, model } = choiceOf(row);
    if (model === "" || unrouted.has(tier)) continue;
    if (!bests.has(harness))
      bests.set(harness, bestModel(harnessNamed(harness, config), directory));
    const best = bests.get(harness);
    if (best !== undefined) requests.set(best.id, (requests.get(best.id) ?? 0) + row.requests);
    compare(sums, row, { used: directory.byId.get(model), best });
  }
  const [most] = [...requests].sort(([, a], [, b]) => b - a);
  const [first] = config.harnesses ?? [];
  return {
    best: most?.[0] ?? bestModel(first, directory)?.id ?? null,
    requests: sums.requests,
    cost: toDollars(sums.cost),
    bestCost: toDollars(sums.bestCost),
    unpriced: sums.unpriced,
  };
}

/** Tiers of requests that `auto` chose no model for: named by the client, routing off, refused before. */
const unrouted: ReadonlySet<string> = new Set(["direct", "default", ""]);

/** What a row is the sum of. */
export function choiceOf({ group }: SumRow): { harness: string; tier: string; model: string } {
  const first = group.indexOf(choiceSeparator);
  const last = group.lastIndexOf(choiceSeparator);
  return {
    harness: group.slice(0, first),
    tier: group.slice(first + 1, last),
    model: group.slice(last + 1),
  };
}

function harnessNamed(id: string, { harnesses = [] }: Config): HarnessEntry | undefined {
  return harnesses.find((harness) => harness.id === id);
}

/** The highest rated of the models that serve the harness's tiers today; undefined where none does. */
function bestModel(
  harness: HarnessEntry | undefined,
  { models }: Directory,
): ListedModel | undefined {
  const allowed = withinWall(models, wallOf(harness?.models));
  const { default: _, ...table } = tierTable(allowed, harness?.routing);
  const serving = Object.values(table).flatMap((tier) => tier.models);
  return serving.reduce<ListedModel | undefined>(
    (best, model) =>
      best !== undefined && capabilityOf(best) >= capabilityOf(model) ? best : model,
    undefined,
  );
}

interface Compared {
  /** Undefined where no provider lists it any more. */
  readonly used: ListedModel | undefined;
  readonly best: ListedModel | undefined;
}

function compare(sums: Sums, row: SumRow, { used, best }: Compared): void {
  const there = best === undefined ? undefined : costOn(best, row, used);
  if (there === undefined || isUnpriced(row, used)) {
    sums.unpriced += row.requests;
    return;
  }
  sums.requests += row.requests;
  sums.cost += row.cost;
  sums.bestCost += there;
}

/** The same tokens there, as many of them cached. What the best model served itself cost what it cost. */
function costOn(best: ListedModel, row: SumRow, used: ListedModel | undefined): number | undefined {
  if (used?.id === best.id) return row.cost;
  const rates = ratesFor(billedPrices(best), 0);
  if (rates === undefined) return undefined;
  const { input_tokens: input, cached_tokens: cached, output_tokens: output } = row;
  return (input - cached) * rates.input + cached * rates.cacheRead + output * rates.output;
}

/** Tokens that cost nothing, of a model that is not known to be free. */
function isUnpriced({ cost, input_tokens, output_tokens }: SumRow, used: ListedModel | undefined) {
  if (cost !== 0 || input_tokens + output_tokens === 0) return false;
  const rates = used && ratesFor(billedPrices(used), 0);
  return rates === undefined || rates.input + rates.output > 0;
}
