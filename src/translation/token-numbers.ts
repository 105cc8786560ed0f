/** Counts of tokens in what providers say. */

const sum = /(\d[\d,]*) *\+ *(\d[\d,]*) *> *(\d[\d,]*)/;

/**
 * The numbers of an overflow's message that may be token counts: what the request needs and the limit, in any order.
 * Digits inside a word belong to a model's name or its date.
 */
export function tokenNumbers(message: string): number[] {
  // Input and answer together are over the limit.
  const [, input, output, limit] = sum.exec(message) ?? [];
  if (input !== undefined && output !== undefined && limit !== undefined)
    return [countOf(input) + countOf(output), countOf(limit)];
  return [...message.matchAll(/(?<![\w.-])\d[\d,]{2,}(?![\w-])/g)]
    .map(([digits]) => countOf(digits))
    .filter((number) => number >= 1000);
}

function countOf(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}
