/** What a harness's requests came to, by tier, and what routing makes of it. */
import type { OutcomeCounts } from "../workspace/contract/outcomes.ts";
import { countsOf } from "../workspace/rules/outcomes.ts";
import type { TierName } from "../routing/contract/tier.ts";
import { learnedOffset } from "../routing/learning/learned-offset.ts";
import { ask, noHarness, type Office, readSnapshot } from "./actions.ts";

export interface ShownLearning {
  /** Whether the harness learns; the counts are kept in any case. */
  learning: boolean;
  /** What the counts take off what a step up has to earn, while the harness learns. */
  offset: number;
  tiers: Record<TierName, OutcomeCounts>;
}

export async function readLearning(office: Office, id: string): Promise<ShownLearning> {
  const harness = await harnessOf(office, id);
  const outcomes = await ask(office, (stub) => stub.outcomes(id));
  return {
    learning: harness.routing?.learning === true,
    offset: learnedOffset(outcomes),
    tiers: {
      simple: countsOf(outcomes, "simple"),
      standard: countsOf(outcomes, "standard"),
      complex: countsOf(outcomes, "complex"),
      reasoning: countsOf(outcomes, "reasoning"),
    },
  };
}

/** All counts begin anew, and the offset with them. */
export async function forgetLearning(office: Office, id: string): Promise<void> {
  await harnessOf(office, id);
  await ask(office, (stub) => stub.forgetOutcomes(id));
}

async function harnessOf(office: Office, id: string) {
  const { config } = await readSnapshot(office);
  const harness = config.harnesses?.find((entry) => entry.id === id);
  if (harness === undefined) throw noHarness(id);
  return harness;
}
