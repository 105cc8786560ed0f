/** Which models are asked last now. The workspace's object decides that; the same rule tells it here without asking it. */
import type { AttemptRecord } from "../../workspace/contract/request-record.ts";
import { type Cooling, coolingNow, recordAttempt } from "../../workspace/rules/cooldown.ts";
import type { ModelLabels } from "./labels.ts";

/** Where and when a call of a provider ended. */
export interface EndedCall {
  readonly workspace: string;
  readonly labels: ModelLabels;
  /** Epoch ms. */
  readonly now: number;
}

const between = "\u0000";

/** The health of models by what happened here; bounded as the workspace's own is. */
export class CoolingModels {
  readonly #health: Cooling = new Map();

  note({ outcome, coolUntil }: AttemptRecord, { workspace, labels, now }: EndedCall): void {
    if (outcome === "ok" && this.#health.size === 0) return;
    const key = [labels.provider, labels.model, workspace].join(between);
    recordAttempt(this.#health, key, {
      outcome,
      now,
      ...(coolUntil !== undefined && { coolUntil }),
    });
  }

  /** How many there are under each pair of labels. */
  count(now: number): readonly { readonly labels: readonly string[]; readonly value: number }[] {
    const counts = new Map<string, number>();
    for (const key of Object.keys(coolingNow(this.#health, now))) {
      const pair = key.slice(0, key.lastIndexOf(between));
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return [...counts].map(([pair, value]) => ({ labels: pair.split(between), value }));
  }
}
