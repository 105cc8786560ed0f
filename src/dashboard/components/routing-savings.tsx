/** What routing saved: what the best model would have cost, had it served every request of `auto`. */
import type { RoutingSavings } from "../../admin/shared/routing-savings.ts";
import { docsPath } from "../../core/docs-address.ts";
import { count, dollars } from "../shared/readable-values.ts";
import { Card } from "./display.tsx";

interface SavingsProps {
  savings: RoutingSavings;
  /** What models are called. */
  nameOf: (id: string) => string;
}

/** The card of a time range; nothing where no request went to `auto`. */
export function RoutingSavingsCard({ savings, nameOf }: SavingsProps) {
  const { requests, unpriced } = savings;
  if (requests + unpriced === 0) return null;
  return (
    <Card title="Saved by routing">
      <p class="why">{savedWords(savings, nameOf)}</p>
      <p class="hint">
        {`${count(requests)} ${requests === 1 ? "request" : "requests"} for auto at today's prices, assuming as many cached tokens.  `}
        {unpriced === 0 ? null : notCompared(unpriced)}
        <a href={docsPath("routing", "always-the-best-model")}>How this is computed</a>
      </p>
    </Card>
  );
}

function savedWords(
  { best, requests, cost, bestCost }: RoutingSavings,
  nameOf: SavingsProps["nameOf"],
) {
  if (best === null || requests === 0) return "Unknown: there are no prices to compare.";
  const there = `always ${nameOf(best)} would have cost ${dollars(bestCost)}`;
  return bestCost >= cost
    ? `Routing saved ${dollars(bestCost - cost)}: ${there}.`
    : `Routing cost ${dollars(cost - bestCost)} more: ${there}.`;
}

function notCompared(unpriced: number): string {
  const which = unpriced === 1 ? "1 more is" : `${count(unpriced)} more are`;
  return `${which} not compared: their model or the best one has no known price. `;
}

/** The short form of it, below a figure. */
export function savingsNote({
  against,
  best_cost,
  unpriced,
}: {
  readonly against: string | null;
  readonly best_cost: number;
  readonly unpriced: number;
}): string {
  if (against === null) return "add a provider to compare";
  const rest = unpriced === 0 ? "" : `; ${count(unpriced)} without a price not compared`;
  return `always ${against}: ${dollars(best_cost)}${rest}`;
}
