/** What providers charge beside tokens: by the use of a tool, and by the answer. */
import type { Prices, ToolFee } from "../../../core/model.ts";
import type { ToolUses } from "../../../core/usage.ts";

const picoPerDollar = 1e12;
/** More uses in one answer are a provider's mistake. */
const mostUses = 10_000;

/** What the fees of an answer depend on. */
interface FeeTerms {
  readonly toolUses?: ToolUses;
  readonly searchContext?: string;
}

/** All fees of one answer, in picodollars. */
export function feesOf(prices: Prices | undefined, terms: FeeTerms): number {
  if (prices === undefined || prices.free !== undefined) return 0;
  return toolFees(prices, terms.toolUses) + answerFee(prices, terms.searchContext);
}

function answerFee({ answers }: Prices, context: string | undefined): number {
  if (answers === undefined) return 0;
  const [first] = Object.values(answers);
  const named = context !== undefined && Object.hasOwn(answers, context);
  return picoOf((named ? answers[context] : first) ?? 0);
}

/** All fees of one answer at most, in picodollars: where nothing says how much its searches show the model, they show most. */
export function mostFeesOf(prices: Prices | undefined, terms: FeeTerms): number {
  const sizes = Object.entries(prices?.answers ?? {});
  const isStated = sizes.some(([size]) => size === terms.searchContext);
  const [most] = sizes.toSorted(([, one], [, other]) => other - one);
  if (isStated || most === undefined) return feesOf(prices, terms);
  return feesOf(prices, { ...terms, searchContext: most[0] });
}

/** Fees of the provider's own tools, in picodollars. */
function toolFees(prices: Prices, uses: ToolUses = {}): number {
  let pico = 0;
  for (const [use, times = 0] of Object.entries(uses)) {
    const fee = times > 0 ? feeOf(prices, use) : undefined;
    if (fee === undefined) continue;
    const billed = fee.onceAnAnswer === true ? 1 : Math.min(times, mostUses);
    pico += Math.round(picoOf(fee.perThousand) * billed);
  }
  return pico;
}

function picoOf(perThousand: number): number {
  return (perThousand / 1000) * picoPerDollar;
}

const free: ToolFee = { perThousand: 0 };

/**
 * The fee of one use; undefined where it is not known. Of a variant that is not listed it is the dearest one of those that
 * have most of its name.
 */
export function feeOf(prices: Prices | undefined, use: string): ToolFee | undefined {
  if (prices?.free !== undefined) return free;
  const fees = prices?.toolUses;
  if (fees === undefined) return undefined;
  if (Object.hasOwn(fees, use)) return fees[use];
  const parts = use.split(":");
  while (parts.length > 0) {
    const fee = dearest(fees, parts.join(":"));
    if (fee !== undefined) return fee;
    parts.pop();
  }
  return undefined;
}

function dearest(fees: NonNullable<Prices["toolUses"]>, stem: string): ToolFee | undefined {
  return Object.entries(fees)
    .filter(([name]) => name === stem || name.startsWith(`${stem}:`))
    .map(([, fee]) => fee)
    .reduce<ToolFee | undefined>(
      (most, fee) => (most === undefined || fee.perThousand > most.perThousand ? fee : most),
      undefined,
    );
}

/**
 * The uses that an answer reported, as they are priced: what the report leaves open (the size of a container, the
 * quality of an image) is as the request said. Plugins run whenever they are asked for, and need not be reported.
 */
export function usesAsAsked(
  reported: ToolUses = {},
  asked: ToolUses = {},
  prices: Prices | undefined,
): ToolUses {
  const uses: Record<string, number> = {};
  for (const [use, times = 0] of Object.entries(reported)) {
    const named = filledIn(use, asked, prices);
    uses[named] = (uses[named] ?? 0) + times;
  }
  for (const [use, times = 0] of Object.entries(asked))
    if (use.startsWith(pluginPrefix)) uses[use] = Math.max(uses[use] ?? 0, times);
  return uses;
}

/** How names of plugins begin. */
export const pluginPrefix = "plugin.";

const open = "auto";

function filledIn(use: string, asked: ToolUses, prices: Prices | undefined): string {
  const [tool = "", ...said] = use.split(":");
  const meant = Object.keys(asked)
    .filter((name) => name === tool || name.startsWith(`${tool}:`))
    .map((name) => {
      const length = Math.max(name.split(":").length - 1, said.length);
      const wanted = name.split(":").slice(1);
      const parts = Array.from({ length }, (_, at) => {
        const part = said[at];
        return part === undefined || part === open ? (wanted[at] ?? part ?? open) : part;
      });
      return [tool, ...parts].join(":");
    });
  const fee = (name: string): number => feeOf(prices, name)?.perThousand ?? 0;
  return meant.toSorted((one, other) => fee(other) - fee(one))[0] ?? use;
}
