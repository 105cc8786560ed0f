/** Estimates how capable a model is, 0..100, from the size in its name, its price and its features. */
import type { Prices } from "../../core/model.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";

/** Size words in model names and the capability that they suggest. The first match counts. */
const capabilityBySize: readonly (readonly [RegExp, number])[] = [
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
const capabilityWithoutSize = 64;

/** Older generations, whatever they cost: often withdrawn before a price list says so. */
const outdatedNames =
  /gpt-3|gpt-4(?![.\d])|gpt-4-|gpt-4o|gpt-4\.5|(?:^|\/)o1|o3-mini|claude-(?:instant|2|3)|gemini-(?:1|2\.0|pro$)|llama-?[23](?![.\d])|grok-[23]|palm|mixtral|pixtral|command(?:-light)?$/i;

/** Whether a model belongs to an older generation. */
export function isOutdatedModel({ info }: Pick<ListedModel, "info">): boolean {
  return outdatedNames.test(info.id);
}

/** USD per million tokens at three input tokens to one output token; undefined when unknown. */
export function blendedPrice(prices: Prices | undefined): number | undefined {
  if (prices?.input === undefined || prices.output === undefined) return undefined;
  return (3 * prices.input + prices.output) / 4;
}

const reasoningBonus = 5;
const outdatedPenalty = 14;

/** The estimate. The price of a free model says nothing, so only its name counts. */
export function capabilityOf(model: ListedModel): number {
  const { info } = model;
  const bySize =
    capabilityBySize.find(([pattern]) => pattern.test(info.id))?.[1] ?? capabilityWithoutSize;
  const price = blendedPrice(info.prices);
  const base = price === undefined || price === 0 ? bySize : (bySize + byPrice(price)) / 2;
  const bonus = info.features?.includes("reasoning") === true ? reasoningBonus : 0;
  return clamp(base + bonus - (isOutdatedModel(model) ? outdatedPenalty : 0));
}

/** 6.9 points per doubling: 0.1 USD is about 24, 1 USD 47, 5 USD 63, 30 USD 81. */
function byPrice(price: number): number {
  return clamp(47 + 6.9 * Math.log2(price));
}

function clamp(value: number): number {
  return Math.min(100, Math.max(0, value));
}
