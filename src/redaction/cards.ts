/** Finds numbers of payment cards. */
import type { RedactedSpan } from "./spans.ts";

/** Between groups: up to two spaces, dashes or dots of any kind. */
const gap = "[\\p{Zs}\\p{Pd}.]{1,2}";
/** 13 to 19 digits: without separators, or in groups. */
const written = new RegExp(
  `(?<![\\w.+-])(?:\\d{13,19}|\\d{4}${gap}\\d{4}${gap}\\d{4}${gap}\\d{1,4}(?:${gap}\\d{1,3})?` +
    `|\\d{4}${gap}\\d{6}${gap}\\d{4,5})(?![\\w-]|\\.\\d)`,
  "gu",
);

/** How the numbers of the large card networks begin, and how many digits they have (ISO/IEC 7812). */
const networks = new RegExp(
  [
    "4(?:\\d{12}|\\d{15}|\\d{18})",
    "(?:5[1-5]\\d\\d|222[1-9]|22[3-9]\\d|2[3-6]\\d\\d|27[01]\\d|2720)\\d{12}",
    "3[47]\\d{13}",
    "3(?:0[0-5]|[68]\\d)\\d{11}",
    "(?:6011|64[4-9]\\d|65\\d\\d|35(?:2[89]|[3-8]\\d)|62\\d\\d)\\d{12,15}",
    "(?:50|5[6-8]|63|67)\\d{14,17}",
  ]
    .map((network) => `^(?:${network})$`)
    .join("|"),
);

/** The card numbers of a text: a network's prefix and length, and a check digit that is right. */
export function findCards(text: string): RedactedSpan[] {
  return [...text.matchAll(written)]
    .filter(([found]) => isCard(found.replace(/\D/g, "")))
    .map(({ index, 0: found }) => ({ kind: "card", from: index, to: index + found.length }));
}

function isCard(digits: string): boolean {
  return networks.test(digits) && luhnSum(digits) % 10 === 0;
}

/** Every second digit from the right but one counts double, a double above nine by its digits' sum. */
function luhnSum(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(digits.length - 1 - at));
    const counted = at % 2 === 0 ? digit : 2 * digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum;
}
