/** Times as text. */

/** The whole second that was written last: most times that are written lie in it. */
let latest = { second: Number.NaN, text: "" };

/** ISO 8601 in UTC with milliseconds, as `Date` writes it; of whole milliseconds since the epoch. */
export function isoTime(time: number): string {
  const ms = ((time % 1000) + 1000) % 1000;
  const second = time - ms;
  if (second !== latest.second) latest = { second, text: new Date(second).toISOString() };
  return `${latest.text.slice(0, -4)}${String(ms).padStart(3, "0")}Z`;
}
