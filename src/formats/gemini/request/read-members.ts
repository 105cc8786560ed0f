/**
 * Members of a request by their names in camelCase. Clients write them in snake_case as well, which the service takes
 * too; what is reported keeps the client's own spelling.
 */
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { isSet, type Position } from "../../../translation/unsupported.ts";

/** An object of the request, and where it stands. */
export interface Members {
  /** Of the object, in the client's spelling. */
  readonly path: string;
  /** The value of a member; null is absent. */
  get(name: string): JsonValue | undefined;
  /** Path of a member as the client spelled it. */
  pathOf(name: string): string;
  /** The object that a member holds, if it holds one. */
  inside(name: string): Members | undefined;
  /** The objects of a list; the service takes one alone as well. */
  each(name: string): Members[];
  /** Names of the members that are there, as the client spelled them. */
  names(): string[];
  /** Name of the first member that says something and is not among the known ones. */
  firstOther(known: ReadonlySet<string>): string | undefined;
  /** Lists every member that says something and is not among the known ones. */
  noteOthers(known: ReadonlySet<string>): void;
}

/** `object` at a position; the empty path is the request itself. */
export function membersOf(object: JsonObject, { path, unsupported }: Position): Members {
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const spelled = (name: string): string => {
    const snake = snakeCase(name);
    return isMissing(object[name]) && !isMissing(object[snake]) ? snake : name;
  };
  const members: Members = {
    path,
    get: (name) => object[spelled(name)] ?? undefined,
    pathOf: (name) => at(spelled(name)),
    inside(name) {
      const value = members.get(name);
      return isObject(value)
        ? membersOf(value, { path: members.pathOf(name), unsupported })
        : undefined;
    },
    each(name) {
      const value = members.get(name);
      const inside = members.pathOf(name);
      if (isObject(value)) return [membersOf(value, { path: inside, unsupported })];
      const position = { path: `${inside}[]`, unsupported };
      return (Array.isArray(value) ? value : [])
        .filter(isObject)
        .map((item) => membersOf(item, position));
    },
    names: () => Object.keys(object).filter((name) => !isMissing(object[name])),
    firstOther(known) {
      for (const name in object)
        if (isSet(object[name]) && !known.has(camelCase(name))) return camelCase(name);
      return undefined;
    },
    noteOthers(known) {
      for (const name in object) {
        if (!isSet(object[name])) continue;
        const camel = camelCase(name);
        const isRead = known.has(camel) && spelled(camel) === name;
        if (!isRead) unsupported.add(at(name));
      }
    },
  };
  return members;
}

/** A list, or the one thing that stands in its place. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

const snakeNames = new Map<string, string>();

/** Of the names that the readers know: not more than a fixed number. */
function snakeCase(name: string): string {
  let snake = snakeNames.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeNames.set(name, snake);
  }
  return snake;
}

/** Of any name that a client may write; a leading underscore stays. */
export function camelCase(name: string): string {
  return name.includes("_")
    ? name.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name;
}
