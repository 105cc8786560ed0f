/** Members of a body by name or by path. */
import { isObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Sets a member, in place; `__proto__` and the like become plain members. */
export function putMember(body: JsonObject, name: string, value: JsonValue): true {
  if (name === "__proto__") {
    const own = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(body, name, own);
  } else body[name] = value;
  return true;
}

/** Sets a member of a member. The body is changed in place; the object in it, which may be the client's, is copied. */
export function putInside(
  body: JsonObject,
  [member, name]: readonly [member: string, name: string],
  value: JsonValue,
): true {
  const before = body[member];
  const copy: JsonObject = isObject(before) ? { ...before } : {};
  putMember(copy, name, value);
  return putMember(body, member, copy);
}

/** Sets what a path of one or two members (`text.verbosity`) names. */
export function putPath(body: JsonObject, path: string, value: JsonValue): true {
  const [first, second] = stepsOf(path);
  return second === undefined
    ? putMember(body, first, value)
    : putInside(body, [first, second], value);
}

/** What a path of one or two members names. */
export function readPath(body: JsonObject, path: string): JsonValue | undefined {
  const [first, second] = stepsOf(path);
  const value = body[first];
  if (second === undefined) return value;
  return isObject(value) ? value[second] : undefined;
}

/** The members that a path leads through. */
export function stepsOf(path: string): readonly [first: string, second?: string] {
  const dot = path.indexOf(".");
  return dot < 0 ? [path] : [path.slice(0, dot), path.slice(dot + 1)];
}
