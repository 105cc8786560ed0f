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
  return new MembersAt(object, new Place(path, unsupported));
}

/** Where objects stand: all items of a list at one place, whose paths are written once. */
class Place {
  readonly path: string;
  readonly unsupported: Set<string>;
  readonly #inside = new Map<string, Place>();
  #items: Place | undefined;

  constructor(path: string, unsupported: Set<string>) {
    this.path = path;
    this.unsupported = unsupported;
  }

  /** Of a member, by the client's spelling. */
  inside(name: string): Place {
    let place = this.#inside.get(name);
    if (place === undefined) {
      place = new Place(this.path === "" ? name : `${this.path}.${name}`, this.unsupported);
      this.#inside.set(name, place);
    }
    return place;
  }

  /** Of the items of the list that stands here. */
  items(): Place {
    return (this.#items ??= new Place(`${this.path}[]`, this.unsupported));
  }
}

/** Thousands in a long conversation: methods cost no closures. */
class MembersAt implements Members {
  readonly #object: JsonObject;
  readonly #place: Place;

  constructor(object: JsonObject, place: Place) {
    this.#object = object;
    this.#place = place;
  }

  get path(): string {
    return this.#place.path;
  }

  get(name: string): JsonValue | undefined {
    return this.#object[name] ?? this.#object[snakeCase(name)] ?? undefined;
  }

  pathOf(name: string): string {
    return this.#placeOf(name).path;
  }

  inside(name: string): Members | undefined {
    const value = this.get(name);
    return isObject(value) ? new MembersAt(value, this.#placeOf(name)) : undefined;
  }

  each(name: string): Members[] {
    const value = this.get(name);
    if (isObject(value)) return [new MembersAt(value, this.#placeOf(name))];
    const found: Members[] = [];
    if (!Array.isArray(value)) return found;
    const place = this.#placeOf(name).items();
    for (const item of value) if (isObject(item)) found.push(new MembersAt(item, place));
    return found;
  }

  names(): string[] {
    return Object.keys(this.#object).filter((name) => !isMissing(this.#object[name]));
  }

  firstOther(known: ReadonlySet<string>): string | undefined {
    for (const name in this.#object)
      if (isSet(this.#object[name]) && !known.has(camelCase(name))) return camelCase(name);
    return undefined;
  }

  noteOthers(known: ReadonlySet<string>): void {
    for (const name in this.#object) {
      if (!isSet(this.#object[name])) continue;
      const camel = camelCase(name);
      const isRead = known.has(camel) && this.#spelled(camel) === name;
      if (!isRead) this.#place.unsupported.add(this.#place.inside(name).path);
    }
  }

  #placeOf(name: string): Place {
    return this.#place.inside(this.#spelled(name));
  }

  #spelled(name: string): string {
    if (!isMissing(this.#object[name])) return name;
    const snake = snakeCase(name);
    return isMissing(this.#object[snake]) ? name : snake;
  }
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
