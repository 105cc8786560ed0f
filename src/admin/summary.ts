/** A span of time in a few numbers: use, errors, first bytes, and what routing and caches saved. */
import type { Prices } from "../core/model.ts";
import { ratesFor, toDollars } from "../workspace/rules/cost.ts";
import { calling, workspaceStub } from "../workspace/remote.ts";
import type { Directory } from "../providers/models/directory.ts";
import { tierTable } from "../routing/models/tier-candidates.ts";
import { type Office, readSnapshot } from "./actions.ts";
import { type UsageRow, usageReport } from "./reports.ts";
import type { SummaryQuery } from "./schemas.ts";

export interface Summary {
  requests: number;
  errors: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** USD. */
  cost: number;
  /** Milliseconds, over the newest two thousand answers of the span; null without any. */
  first_byte_ms: { p50: number; p95: number } | null;
  /** USD, estimated at today's prices. `against` is the model that would have served everything. */
  saved: { by_routing: number; by_cache: number; against: string | null };
}

/** Answers that are looked at for the first byte's percentiles. */
const mostAnswers = 2000;

export async function summary(
  office: Office,
  query: SummaryQuery,
  directory: Directory,
): Promise<Summary> {
  const from = query.from ?? new Date(Date.now() - 86_400_000).toISOString();
  const span = { from, ...(query.to === undefined ? {} : { to: query.to }), by: "day" as const };
  const [byModel, byTier, firstBytes, { config }] = await Promise.all([
    usageReport(office, { ...span, group: "model" }),
    usageReport(office, { ...span, group: "tier" }),
    firstBytesSince(office, from, query.to),
    readSnapshot(office),
  ]);
  const routing = config.harnesses?.[0]?.routing;
  const strongest = tierTable(directory.models, routing).reasoning.models[0];
  return {
    ...totals(byModel),
    first_byte_ms: percentiles(firstBytes),
    saved: {
      by_routing: savedByRouting(byTier, strongest?.info.prices),
      by_cache: savedByCache(byModel, directory),
      against: strongest?.id ?? null,
    },
  };
}

function totals(rows: readonly UsageRow[]): Omit<Summary, "first_byte_ms" | "saved"> {
  const sum = {
    requests: 0,
    errors: 0,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    cost: 0,
  };
  for (const row of rows) {
    sum.requests += row.requests;
    sum.errors += row.errors;
    sum.input_tokens += row.input_tokens;
    sum.cached_tokens += row.cached_tokens;
    sum.output_tokens += row.output_tokens;
    sum.cost += row.cost;
  }
  return sum;
}

async function firstBytesSince(office: Office, from: string, to?: string): Promise<number[]> {
  const rows = await calling(
    () => workspaceStub(office.env, office.workspace),
    (stub) => stub.listRequests({ limit: mostAnswers, status: [100, 400] }),
  );
  return rows
    .map(({ record }) => record)
    .filter(({ time }) => time >= from && (to === undefined || time < to))
    .flatMap(({ first_byte_ms: ms }) => ms ?? []);
}

function percentiles(values: readonly number[]): Summary["first_byte_ms"] {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** What the routed requests would have cost on the strongest tier's first model, less what they did cost. */
function savedByRouting(rows: readonly UsageRow[], prices: Prices | undefined): number {
  const rates = ratesFor(prices, 0);
  if (rates === undefined) return 0;
  let saved = 0;
  for (const row of rows) {
    if (row.group === "direct" || row.group === "default" || row.group === "") continue;
    const fresh = row.input_tokens - row.cached_tokens;
    const there =
      fresh * rates.input + row.cached_tokens * rates.cacheRead + row.output_tokens * rates.output;
    saved += toDollars(there) - row.cost;
  }
  return Math.max(0, saved);
}

/** Cached tokens at the price of fresh ones, less at their own. */
function savedByCache(rows: readonly UsageRow[], directory: Directory): number {
  let saved = 0;
  for (const row of rows) {
    const rates = ratesFor(directory.byId.get(row.group)?.info.prices, 0);
    if (rates !== undefined) saved += row.cached_tokens * (rates.input - rates.cacheRead);
  }
  return Math.max(0, toDollars(saved));
}
