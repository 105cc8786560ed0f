/** The kept table of models: looked up by name, priced for a moment in time. */
import type { Prices } from "../../core/model.ts";
import { modelData } from "./model-data.ts";
import { readRows, type Match, type PriceRow, type TableRow } from "./read-rows.ts";

interface Source {
  rows: readonly TableRow[];
  /** By id in lower case. */
  byId: ReadonlyMap<string, TableRow>;
}

const parsed = new Map<string, Source>();

/** Rows of one source. Parsed at the first question for it. */
export function tableOf(source: string): readonly TableRow[] {
  return sourceOf(source).rows;
}

function sourceOf(name: string): Source {
  let source = parsed.get(name);
  if (source === undefined) {
    const rows = readRows(modelData[name] ?? "");
    source = { rows, byId: new Map(rows.map((row) => [row.id.toLowerCase(), row])) };
    parsed.set(name, source);
  }
  return source;
}

const found = new Map<string, TableRow | null>();

/** The row that a provider's model name stands for. */
export function rowFor(source: string, name: string): TableRow | undefined {
  const key = `${source}\n${name}`;
  let row = found.get(key);
  if (row === undefined) {
    row = search(source, name.toLowerCase());
    // Names come from lists and from clients: the memory of them is bounded.
    if (found.size >= 8192) found.clear();
    found.set(key, row);
  }
  return row ?? undefined;
}

function search(source: string, name: string): TableRow | null {
  const { rows, byId } = sourceOf(source);
  return byId.get(name) ?? rows.find((row) => row.m !== undefined && fits(row.m, name)) ?? null;
}

function fits(match: Match, name: string): boolean {
  if ("equals" in match) return name === match.equals;
  if ("starts_with" in match) return name.startsWith(match.starts_with);
  if ("ends_with" in match) return name.endsWith(match.ends_with);
  if ("contains" in match) return name.includes(match.contains);
  if ("regex" in match) return name.length <= 256 && new RegExp(match.regex, "i").test(name);
  if ("or" in match) return match.or.some((part) => fits(part, name));
  return match.and.every((part) => fits(part, name));
}

/** The prices that hold at `now` (epoch ms): of the rows whose condition is met, the last. */
export function pricesAt(row: TableRow, now: number): Prices | undefined {
  const current =
    row.c.length === 1 && isAlways(row.c[0])
      ? row.c[0]
      : row.c.findLast((prices) => holds(prices, now));
  return current === undefined ? undefined : readPrices(current);
}

function isAlways(row: PriceRow | undefined): boolean {
  return row !== undefined && row.from === undefined && row.daily === undefined;
}

function holds(row: PriceRow, now: number): boolean {
  const day = new Date(now).toISOString();
  const clock = `${day.slice(11, 19)}Z`;
  if (row.from !== undefined && day < row.from) return false;
  if (row.daily === undefined) return true;
  const [start, end] = row.daily;
  return start <= end ? clock >= start && clock < end : clock >= start || clock < end;
}

function readPrices(row: PriceRow): Prices {
  const prices: Prices = columns(row.p);
  if (row.x !== undefined) Object.assign(prices, mediaPrices(row.x));
  if (row.t) prices.tiers = row.t.map(([from, ...step]) => ({ from: from ?? 0, ...columns(step) }));
  return prices;
}

function mediaPrices({
  i,
  a,
  c,
  s,
  I,
  A,
  h,
}: NonNullable<PriceRow["x"]>): Pick<Prices, "media" | "audioHour"> {
  const media = {
    ...(i !== undefined && { inputImage: i }),
    ...(a !== undefined && { inputAudio: a }),
    ...(c !== undefined && { cachedImage: c }),
    ...(s !== undefined && { cachedAudio: s }),
    ...(I !== undefined && { outputImage: I }),
    ...(A !== undefined && { outputAudio: A }),
  };
  return {
    ...(Object.keys(media).length > 0 && { media }),
    ...(h !== undefined && { audioHour: h }),
  };
}

function columns([input, output, cacheRead, cacheWrite, cacheWrite1h]: readonly (
  | number
  | null
)[]): Omit<Prices, "tiers"> {
  return {
    ...(typeof input === "number" && { input }),
    ...(typeof output === "number" && { output }),
    ...(typeof cacheRead === "number" && { cacheRead }),
    ...(typeof cacheWrite === "number" && { cacheWrite }),
    ...(typeof cacheWrite1h === "number" && { cacheWrite1h }),
  };
}
