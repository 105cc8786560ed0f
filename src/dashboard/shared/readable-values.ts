/** Numbers and times as people read them. */

const whole = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** A number of things: whole below ten thousand, else like `12.3K`. */
export function count(value: number): string {
  return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value);
}

/** The same to the last digit: `270,046`. */
export function exactCount(value: number): string {
  return whole.format(value);
}

/** US dollars: cents from a dollar on, else three significant digits. */
export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "$0";
  const size = Math.abs(value);
  if (size >= 1000) return `$${whole.format(Math.round(value))}`;
  if (size >= 1) return `$${value.toFixed(2)}`;
  if (size < 0.000001) return "<$0.000001";
  return `$${value.toFixed(Math.min(8, 2 - Math.floor(Math.log10(size))))}`.replace(
    /(\.\d\d+?)0+$/,
    "$1",
  );
}

/** `250 ms`, `1.25 s`, `3 min 10 s`; a dash without a value. */
export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(value / 60_000)} min ${Math.round((value % 60_000) / 1000)} s`;
}

/** The share of `part` in `all`, like `3.4%`. */
export function percent(part: number, all: number): string {
  if (all === 0) return "0%";
  const share = (100 * part) / all;
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)}%`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

const formatParts = {
  day: { day: "numeric", month: "short" },
  date: { day: "numeric", month: "short", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function formatted(time: number, timeZone: string, style: keyof typeof formatParts): string {
  const key = `${style} ${timeZone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", { timeZone, ...formatParts[style] });
    formats.set(key, format);
  }
  return format.format(time);
}

/** `21 Nov, 13:05:09` in that time zone; the day only where it is not today's, unless `full`. */
export function clockTime(iso: string, timezone: string, full = false): string {
  const time = Date.parse(iso);
  if (!Number.isFinite(time)) return iso;
  const day = formatted(time, timezone, "day");
  const short = formatted(time, timezone, "time");
  return !full && day === formatted(Date.now(), timezone, "day") ? short : `${day}, ${short}`;
}

/** `23 Nov 2026, 00:00` in that time zone. */
export function dateTime(time: number, timezone: string): string {
  return `${formatted(time, timezone, "date")}, ${formatted(time, timezone, "time").slice(0, 5)}`;
}

/** Where a bar of a chart stands: `21 Nov`, or with its time `21 Nov, 13:00`. */
export function bucketTime(time: number, timezone: string, isDay: boolean): string {
  const day = formatted(time, timezone, "day");
  return isDay ? day : `${day}, ${formatted(time, timezone, "time").slice(0, 5)}`;
}

/** `in 3 h`, `2 days ago`. */
export function timeAway(iso: string, now = Date.now()): string {
  const away = Date.parse(iso) - now;
  const size = Math.abs(away) / 1000;
  const text =
    size < 60
      ? "a moment"
      : size < 3600
        ? `${Math.round(size / 60)} min`
        : size < 86_400
          ? `${Math.round(size / 3600)} h`
          : dayCount(Math.round(size / 86_400));
  return away < 0 ? `${text} ago` : `in ${text}`;
}

function dayCount(days: number): string {
  return `${days} ${days === 1 ? "day" : "days"}`;
}
