/** What the page of the log shows, as its address says: shared, an address shows the same. */
import {
  type RequestsQuery,
  requestsQuerySchema,
} from "../../../admin/routes/requests/request-query.ts";
import { instantIn, wallTime } from "../../../workspace/rules/sums/period.ts";

/** Where the page is. */
export const logPage = "/dashboard/requests";

/** Spans of time up to now, by their names in the address. */
export const timeSpans = {
  "1h": { label: "Last hour", hours: 1 },
  "24h": { label: "Last 24 hours", hours: 24 },
  "7d": { label: "Last 7 days", hours: 7 * 24 },
  "30d": { label: "Last 30 days", hours: 30 * 24 },
} as const;

/** Names of filters in the address: those of the admin API, and `span`. */
export const filterNames = [
  "outcome",
  "q",
  "harness",
  "key",
  "provider",
  "model",
  "tag",
  "session",
  "agent",
  "role",
  "blocked_by",
  "feedback",
  "person",
  "status",
  "span",
  "from",
  "to",
  "min_cost",
  "max_cost",
] as const;
/** One of them. */
export type FilterName = (typeof filterNames)[number];

/** A filter with its value; `tag` may stand several times. */
export type Given = readonly [name: FilterName, value: string];

/** What an address says. */
export interface LogView {
  readonly given: readonly Given[];
  /** Filters whose values are none: the page says so, and leaves them out. */
  readonly ignored: readonly Given[];
  /** The cursor of an older page; empty on the newest. */
  readonly before: string;
}

/** The view that an address asks for. */
export function readLogView(address: URLSearchParams): LogView {
  const asked = filterNames.flatMap((name) =>
    address
      .getAll(name)
      .flatMap((text): Given[] => (text.trim() === "" ? [] : [[name, text.trim()]])),
  );
  return {
    given: asked.filter(isValid),
    ignored: asked.filter((one) => !isValid(one)),
    before: address.get("before") ?? "",
  };
}

/** The address without fields that say nothing, as a form sends them; undefined where it has none. */
export function withoutEmptyFields(address: URL): string | undefined {
  const fields = [...address.searchParams];
  const told = fields.filter(([, value]) => value.trim() !== "");
  if (told.length === fields.length) return undefined;
  return told.length === 0 ? logPage : `${logPage}?${new URLSearchParams(told).toString()}`;
}

function isValid([name, value]: Given): boolean {
  if (name === "span") return Object.hasOwn(timeSpans, value);
  return requestsQuerySchema.shape[name].safeParse(asInstant(value, "UTC")).success;
}

/** A time as a field has it, without a zone, is one of the workspace's clock. */
function asInstant(text: string, timezone: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return text;
  const time = instantIn(timezone, text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** A time of an address as such a field takes it; empty where it is none. */
export function fieldTime(text: string, timezone: string): string {
  const time = Date.parse(asInstant(text, timezone));
  return Number.isFinite(time) ? wallTime(timezone, time) : "";
}

/** Now in epoch ms, and the workspace's time zone. */
interface Clock {
  readonly now: number;
  readonly timezone: string;
}

/** The query of the admin API for the view. */
export function queryOfView(
  { given, before }: LogView,
  { now, timezone }: Clock,
): Partial<RequestsQuery> {
  const named = given.filter(([name]) => name !== "tag" && name !== "span");
  const tag = valuesOf(given, "tag").slice(0, 8);
  return {
    ...spanStart(given, now),
    // Each was read by its schema above.
    ...(Object.fromEntries(
      named.map(([name, value]) => [name, isTime(name) ? asInstant(value, timezone) : value]),
    ) as Partial<RequestsQuery>),
    ...(tag.length > 0 && { tag }),
    ...(before !== "" && { before }),
  };
}

function isTime(name: FilterName): boolean {
  return name === "from" || name === "to";
}

function spanStart(given: readonly Given[], now: number): Partial<RequestsQuery> {
  const name = valueOf(given, "span");
  const span = Object.entries(timeSpans).find(([one]) => one === name)?.[1];
  return span === undefined ? {} : { from: new Date(now - span.hours * 3_600_000).toISOString() };
}

/** The filter's value; empty where it is not given. */
export function valueOf(given: readonly Given[], name: FilterName): string {
  return valuesOf(given, name)[0] ?? "";
}

function valuesOf(given: readonly Given[], wanted: FilterName): string[] {
  return given.flatMap(([name, value]) => (name === wanted ? [value] : []));
}

/** The address of the log, or of something below it, with these filters and more. */
export function logAddress(
  given: readonly Given[],
  { path = "", more = [] }: { path?: string; more?: readonly (readonly [string, string])[] } = {},
): string {
  const search = new URLSearchParams([...given, ...more].map(([name, value]) => [name, value]));
  return `${logPage}${path}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

/** The filters with another value for that one; without it where the value is empty. */
export function withFilter(given: readonly Given[], name: FilterName, value: string): Given[] {
  const others = given.filter(([one]) => one !== name);
  return value === "" ? others : [[name, value], ...others];
}
