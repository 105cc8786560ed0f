/** Random rows of a request log, random questions for them, and which rows answer those by plain reading. */
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import { requestOutcomes } from "../../../src/workspace/contract/request-record.ts";
import type { Random } from "../../kit/random.ts";
import { record } from "../rules/kit.ts";

/** Whose rows they are. */
export interface LogPlan {
  /** When the oldest row's request began, epoch ms. */
  readonly start: number;
  /** Of its keys, by their ids. */
  readonly keyNames: ReadonlyMap<string, string>;
}

/** Between the beginnings of two requests, ms. */
const step = 20 * 60_000;
/** The time from the first request to the last of 300. */
export const plannedTime = 300 * step;

const harnesses = ["default", "other"] as const;
const models = ["lab/one", "lab/ONE", "far/100%", "far/a_b"] as const;
const providers = ["lab", "far", null] as const;
const sessions = ["s1", "S1", "s%", "s_", 'it\'s "quoted" \\ here', "Größe", undefined] as const;
const agents = ["main-agent", "sub", undefined] as const;
const roles = ["main", "background", undefined] as const;
const errors = [
  null,
  "boom: no such fuel",
  '100% of a_b\nsecond "line" \\n',
  "ÄRGER mit Öl",
  "request timed out",
] as const;
const texts = [
  undefined,
  { request: "Tell me of ŠKODA and 你好", answer: 'quoted "answer" with \\ and\ttab' },
  { request: "plain", answer: "naïve Straße" },
] as const;
const tagNames = ["team", "env", "a.b-c_d", "constructor"] as const;
const tagValues = ["red", "blue", "1.0"] as const;
const statuses = [200, 404, 429, 499, 502] as const;

/** Rows in the order in which they are logged; requests end in another order than they begin. */
export function randomRows(
  rng: Random,
  count: number,
  { start, keyNames }: LogPlan,
): RequestRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const cost = rng.chance(0.2) ? null : rng.int(0, 5) / 100;
    const text = rng.pick(texts);
    const made: RequestRecord = {
      ...record(`req_${index}`),
      time: new Date(start + (index - rng.int(0, 10)) * step).toISOString(),
      harness: rng.pick(harnesses),
      requested_model: rng.pick(["auto", ...models]),
      model: rng.chance(0.3) ? null : rng.pick(models),
      provider: rng.pick(providers),
      status: rng.pick(statuses),
      outcome: rng.pick(requestOutcomes),
      error: rng.pick(errors),
      cost,
      tags: Object.fromEntries(
        rng.list(0, 3, () => [rng.pick(tagNames), rng.pick(tagValues)] as const),
      ),
      ...optional("session_id", rng.pick(sessions)),
      ...optional("agent", rng.pick(agents)),
      ...optional("role", rng.pick(roles)),
      ...(text !== undefined && { text }),
    };
    const key = rng.pick([undefined, "key_gone", ...keyNames.keys()]);
    if (key === undefined) return made;
    return { ...made, key_id: key, ...(key === "key_gone" && { key_name: "gone's name" }) };
  });
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
): Partial<Record<Name, string>> {
  // The one member that the type names.
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}

/** One filter as it stands in the address, and which rows it leaves. */
export interface Condition {
  readonly name: string;
  readonly value: string;
  matches(row: RequestRecord): boolean;
}

type MakeCondition = (rng: Random) => Condition;

const searched = [
  "s%",
  "%",
  "_",
  "a_B",
  "BOOM",
  "\\",
  '"',
  "'",
  '"line" \\n',
  "ärger",
  "öL",
  "škoda",
  "你好",
  "STRASSE",
  "straße",
  "request",
  "key_",
  "req_1",
  "\n",
  "\t",
  "outcome",
  "ALPHA",
  "'s B",
  "gone's",
  "team=RED",
  "v=blu",
  "d=1",
  "=",
] as const;

/** By the filter's name. */
export function conditionMakers({ start, keyNames }: LogPlan): Record<string, MakeCondition> {
  const time = (rng: Random): number => start + rng.int(-20, 320) * step;
  const same =
    (name: string, values: readonly [string, ...string[]], of: (row: RequestRecord) => unknown[]) =>
    (rng: Random): Condition => {
      const value = rng.pick(values);
      return { name, value, matches: (row) => of(row).includes(value) };
    };
  const nameOf = ({ key_id = "", key_name }: RequestRecord) => keyNames.get(key_id) ?? key_name;
  const [someKey = "", ...otherKeys] = [...keyNames].flat();
  return {
    harness: same("harness", harnesses, ({ harness }) => [harness]),
    key: same("key", [someKey, ...otherKeys, "key_gone", "gone's name", "none"], (row) => [
      row.key_id,
      nameOf(row),
    ]),
    provider: same("provider", ["lab", "far"], ({ provider }) => [provider]),
    model: same("model", ["auto", ...models], (row) => [row.model, row.requested_model]),
    session: same("session", ["s1", "S1", "s%", "s_", "Größe", 'it\'s "quoted" \\ here'], (row) => [
      row.session_id,
    ]),
    agent: same("agent", ["main-agent", "sub"], ({ agent }) => [agent]),
    role: same("role", ["main", "background"], ({ role }) => [role]),
    outcome: (rng) => {
      const wanted = rng.list(1, 3, () => rng.pick(requestOutcomes));
      const matches = ({ outcome }: RequestRecord) =>
        outcome !== undefined && wanted.includes(outcome);
      return { name: "outcome", value: wanted.join(","), matches };
    },
    status: (rng) => {
      const value = rng.pick(["404", "4xx", "2xx", "ok", "error"]);
      return { name: "status", value, matches: ({ status }) => hasStatus(status, value) };
    },
    from: (rng) => {
      const at = time(rng);
      const value = new Date(at).toISOString();
      return { name: "from", value, matches: (row) => Date.parse(row.time) >= at };
    },
    to: (rng) => {
      const at = time(rng);
      const value = new Date(at).toISOString();
      return { name: "to", value, matches: (row) => Date.parse(row.time) < at };
    },
    min_cost: (rng) => {
      const least = rng.int(0, 5) / 100;
      const matches = ({ cost }: RequestRecord) => cost !== null && cost >= least;
      return { name: "min_cost", value: String(least), matches };
    },
    max_cost: (rng) => {
      const most = rng.int(0, 5) / 100;
      const matches = ({ cost }: RequestRecord) => cost !== null && cost <= most;
      return { name: "max_cost", value: String(most), matches };
    },
    tag: (rng) => {
      const [name, value] = [rng.pick(tagNames), rng.pick(tagValues)];
      const isSet = ({ tags = {} }: RequestRecord) => Object.hasOwn(tags, name);
      if (rng.chance(0.3)) return { name: "tag", value: name, matches: isSet };
      const matches = (row: RequestRecord) => isSet(row) && row.tags?.[name] === value;
      return { name: "tag", value: `${name}=${value}`, matches };
    },
    q: (rng) => {
      const value = rng.pick(searched);
      return {
        name: "q",
        value,
        matches: (row) => holdsText({ ...row, key_name: nameOf(row) ?? "" }, value),
      };
    },
  };
}

function hasStatus(status: number, wanted: string): boolean {
  if (wanted === "ok") return status < 400;
  if (wanted === "error") return status >= 400;
  return wanted.endsWith("xx") ? String(status)[0] === wanted[0] : String(status) === wanted;
}

function holdsText(row: RequestRecord, wanted: string): boolean {
  const { id, key_id, session_id, agent, requested_model, model, error, attempts, text } = row;
  const tags = Object.entries(row.tags ?? {}).map(([name, tag]) => `${name}=${tag}`);
  const said = attempts.map((attempt) => [attempt.model, attempt.error]);
  const all = [id, key_id, session_id, agent, requested_model, model, error, said, text?.request];
  return [...all, text?.answer, row.key_name, ...tags]
    .flat(3)
    .some((one) => (one ?? "").toLowerCase().includes(wanted.toLowerCase()));
}
