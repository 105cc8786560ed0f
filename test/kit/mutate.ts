/** JSON with something wrong in it: members gone, of another type, absurd. */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import type { Random } from "./random.ts";

const oddities: readonly [JsonValue, ...JsonValue[]] = [
  null,
  true,
  0,
  -1,
  1e308,
  0.5,
  "",
  " ",
  "x",
  "__proto__",
  [],
  [null],
  [[]],
  {},
  [{}],
  { type: "text" },
  { type: null, text: [] },
  { length: 3 },
];

/** A copy in which a few places hold something else, or nothing. */
export function mutated(value: JsonValue, rng: Random, wounds = 2): JsonValue {
  let copy = structuredClone(value);
  for (let n = rng.int(1, wounds); n > 0; n--) copy = wounded(copy, rng);
  return copy;
}

function wounded(value: JsonValue, rng: Random): JsonValue {
  if (typeof value !== "object" || value === null) return rng.pick(oddities);
  const keys = Object.keys(value);
  const [first, ...rest] = keys;
  if (first === undefined || rng.chance(0.08)) return rng.pick(oddities);
  const key = rng.pick([first, ...rest]);
  if (Array.isArray(value)) {
    const at = Number(key);
    if (rng.chance(0.1)) return value.toSpliced(at, 1);
    return value.with(at, wounded(value[at] ?? null, rng));
  }
  return woundedMember(value, key, rng);
}

function woundedMember(value: JsonObject, key: string, rng: Random): JsonObject {
  const { [key]: member, ...others } = value;
  if (rng.chance(0.1)) return others;
  return { ...value, [key]: wounded(member ?? null, rng) };
}
