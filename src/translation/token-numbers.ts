/** Counts of tokens in what providers say. */

/** The numbers of a message that may be token counts. Digits inside a word belong to a model's name or its date. */
export function tokenNumbers(message: string): number[] {
  return [...message.matchAll(/(?<![\w.-])\d[\d,]{2,}(?![\w-])/g)]
    .map(([digits]) => Number(digits.replaceAll(",", "")))
    .filter((number) => number >= 1000);
}
