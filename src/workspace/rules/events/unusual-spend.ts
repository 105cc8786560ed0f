/** Whether a day costs more than the days before it let expect. */

/** Days before today that are looked at. */
export const comparedDays = 28;
/** Days with spend that there must be among them. */
const leastDays = 7;
/** USD below which no day is unusual. */
const leastCost = 1;
/** So many times the median day is unusual, where no day of them cost as much. */
const factor = 3;

/** Whether it is worth while to look at the days before. USD. */
export function mayBeUnusual(cost: number): boolean {
  return cost >= leastCost;
}

/** The median of the days with cost, if `cost` is unusual; otherwise undefined. USD. */
export function unusualAgainst(cost: number, before: readonly number[]): number | undefined {
  const spent = before.filter((day) => day > 0).sort((left, right) => left - right);
  if (!mayBeUnusual(cost) || spent.length < leastDays) return undefined;
  const usual = medianOf(spent);
  return cost > factor * usual && cost > (spent.at(-1) ?? 0) ? usual : undefined;
}

function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? 0;
  const high = sorted[Math.ceil(middle)] ?? 0;
  return (low + high) / 2;
}
