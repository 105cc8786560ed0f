/**
 * Arguments of a call that arrive in pieces: each has a path (`$.recipe.steps[0].name`) and a value, and a string may
 * continue in later pieces with the same path.
 */
import { isExact } from "../../../lib/exact.ts";
import {
  asNumber,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

/** Arrays grow piece by piece: an index further beyond the end belongs to a broken path. */
const widestGap = 100;
/** Paths of more steps are broken too. */
const longestPath = 100;

/** Joins the pieces of one call's arguments. */
export interface PartialArguments {
  add(piece: JsonObject): void;
  /** The arguments so far. */
  value(): JsonObject;
}

/** Arguments of which no piece came yet. */
export function partialArguments(): PartialArguments {
  const root: JsonObject = {};
  /** Path of a string that the next piece with the same path continues. */
  let continuedPath: string | undefined;
  return {
    add(piece) {
      const path = asString(piece["jsonPath"]) ?? "$";
      const steps = pathSteps(path);
      const value = pieceValue(piece);
      if (steps.length === 0) {
        if (isObject(value) && !isExact(value))
          for (const [name, member] of Object.entries(value))
            if (member !== undefined) put(root, name, member);
        return;
      }
      if (steps.length > longestPath) return;
      if (value !== undefined) setAt(root, steps, { value, append: continuedPath === path });
      continuedPath = piece["willContinue"] === true ? path : undefined;
    },
    value: () => root,
  };
}

function pieceValue(piece: JsonObject): JsonValue | undefined {
  const text = asString(piece["stringValue"]);
  if (text !== undefined) return text;
  const number = piece["numberValue"];
  if (asNumber(number) !== undefined || isExact(number)) return number;
  if (typeof piece["boolValue"] === "boolean") return piece["boolValue"];
  if (piece["structValue"] !== undefined) return piece["structValue"];
  if (piece["listValue"] !== undefined) return piece["listValue"];
  return "nullValue" in piece ? null : undefined;
}

/** `$.a[0]['b c']` as `["a", 0, "b c"]`. */
function pathSteps(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const match of path.matchAll(
    /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g,
  )) {
    const [, dotted, index, single, double] = match;
    if (index !== undefined) steps.push(Number(index));
    else steps.push((dotted ?? single ?? double ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  return steps;
}

function setAt(
  root: JsonObject,
  steps: (string | number)[],
  change: { value: JsonValue; append: boolean },
): void {
  let holder: JsonObject | JsonValue[] = root;
  for (let i = 0; i < steps.length - 1; i++) {
    const next: JsonObject | JsonValue[] | undefined = child(
      holder,
      steps[i] ?? "",
      typeof steps[i + 1] === "number",
    );
    if (next === undefined) return;
    holder = next;
  }
  const last = steps.at(-1) ?? "";
  const before = get(holder, last);
  const joined = change.append && typeof before === "string" && typeof change.value === "string";
  put(holder, last, joined ? before + change.value : change.value);
}

/** The object or array at `step`, made where there is none. */
function child(
  holder: JsonObject | JsonValue[],
  step: string | number,
  list: boolean,
): JsonObject | JsonValue[] | undefined {
  const before = get(holder, step);
  if (isObject(before) || Array.isArray(before)) return before;
  const made: JsonObject | JsonValue[] = list ? [] : {};
  return put(holder, step, made) ? made : undefined;
}

function get(holder: JsonObject | JsonValue[], step: string | number): JsonValue | undefined {
  if (Array.isArray(holder)) return typeof step === "number" ? holder[step] : undefined;
  return Object.hasOwn(holder, step) ? holder[step] : undefined;
}

/** Sets a member as JSON.parse would, also one named `__proto__`. False for a path that cannot be. */
function put(holder: JsonObject | JsonValue[], step: string | number, value: JsonValue): boolean {
  if (Array.isArray(holder)) {
    if (typeof step !== "number" || step > holder.length + widestGap) return false;
    while (holder.length < step) holder.push(null);
    holder[step] = value;
    return true;
  }
  Object.defineProperty(holder, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return true;
}
