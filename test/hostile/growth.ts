/** Measures how work grows with its size. Times are compared with each other only: machines differ, and are busy. */

/** How long some work took at one size and at four times as much, in ms. */
export interface Growth {
  readonly count: number;
  readonly time: number;
  readonly timeOfFourfold: number;
}

const least = 500;
const most = 16_000;
/** Work that takes less says nothing, in ms. */
const measurable = 40;
/** Two doublings, each of which may take 2.5 times as long. */
const allowed = 2.5 ** 2;
const measurements = 12;

/** Undefined for work that grows as its size does; else the best of all measurements. */
export function steepGrowth(work: (count: number) => void): Growth | undefined {
  let count = least;
  let timeOfFourfold = timeOf(() => work(4 * count));
  while (timeOfFourfold < measurable && count < most) {
    count *= 2;
    timeOfFourfold = timeOf(() => work(4 * count));
  }
  let time = Math.min(...Array.from({ length: 3 }, () => timeOf(() => work(count))));
  for (let round = 0; round < measurements; round++) {
    if (timeOfFourfold <= Math.max(measurable, allowed * time)) return undefined;
    // Noise only ever adds time, and does not come again each time.
    timeOfFourfold = Math.min(
      timeOfFourfold,
      timeOf(() => work(4 * count)),
    );
    if (round % 2 === 1)
      time = Math.min(
        time,
        timeOf(() => work(count)),
      );
  }
  return { count, time, timeOfFourfold };
}

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The function with its results kept: measured work must not make its input again and again. */
export function remembered<T>(make: (count: number) => T): (count: number) => T {
  const made = new Map<number, T>();
  return (count) => {
    const known = made.get(count) ?? make(count);
    made.set(count, known);
    return known;
  };
}
