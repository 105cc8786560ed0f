/** How capable a model probably is, 0..100, from what is known of it: its size word, its price, what it can do. */
import type { Prices } from "../core/model.ts";
import type { ListedModel } from "../providers/connection/connection.ts";

/** Size words that makers put into names, and what they stand for. The first match decides. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/(?:^|[-_/.:])(?:nano|tiny|micro|[0-4](?:\.\d)?b|e[24]b)(?:[-_/.:]|$)/i, 24],
  [/flash-?lite|(?:^|[-_/.:])(?:lite|luna|nemo|[5-9]b|1[0-4]b)(?:[-_/.:]|$)/i, 32],
  [
    /(?:^|[-_/.:])(?:mini|small|haiku|flash|fast|air|saba|scout|gemma|8x7b|1[5-9]b|2\db|3\db)(?:[-_/.:0-9]|$)/i,
    44,
  ],
  [
    /(?:^|[-_/.:])(?:opus|ultra|large|max|heavy|pro|sol|fable|reasoner|o1|o3|4\d\db|[5-9]\d\db|r1)(?:[-_/.:0-9]|$)/i,
    82,
  ],
];
const noSizeWord = 64;

/** Generations that have been overtaken, whatever they cost: often withdrawn before a price list says so. */
const overtaken =
  /gpt-3|gpt-4(?![.\d])|gpt-4-|gpt-4o|gpt-4\.5|(?:^|\/)o1|o3-mini|claude-(?:instant|2|3)|gemini-(?:1|2\.0|pro$)|llama-?[23](?![.\d])|grok-[23]|palm|mixtral|pixtral|command(?:-light)?$/i;

export function isOvertaken({ info }: Pick<ListedModel, "info">): boolean {
  return overtaken.test(info.id);
}

/** USD per million tokens, three of input to one of output; undefined when unknown. */
export function blendedPrice(prices: Prices | undefined): number | undefined {
  if (prices?.input === undefined || prices.output === undefined) return undefined;
  return (3 * prices.input + prices.output) / 4;
}

/** The estimate. A free model is judged by its name alone, since its price says nothing. */
export function capabilityOf({ info }: ListedModel): number {
  const bySize = sizes.find(([pattern]) => pattern.test(info.id))?.[1] ?? noSizeWord;
  const price = blendedPrice(info.prices);
  // Six tenths of a unit a doubling: 0.1 USD is about 26, 1 USD 47, 5 USD 62, 30 USD 80.
  const byPrice =
    price === undefined || price === 0 ? undefined : clamp(47 + 6.9 * Math.log2(price));
  const both = byPrice === undefined ? bySize : (bySize + byPrice) / 2;
  const thinks = info.features?.includes("reasoning") === true ? 5 : 0;
  return clamp(both + thinks - (isOvertaken({ info }) ? 14 : 0));
}

function clamp(value: number): number {
  return Math.min(100, Math.max(0, value));
}
