/** Where a reader of a Responses request is. */
import type { Position } from "../../../translation/unsupported.ts";

/** `path` is for reports (`input[].content[]`), `indexedPath` for refusals (`input[3].content[0]`). */
export interface IndexedPosition extends Position {
  readonly indexedPath: string;
}

/** The position of a member of the request. */
export function topLevel(name: string, unsupported: Set<string>): IndexedPosition {
  return { path: name, indexedPath: name, unsupported };
}

/** A member of the object at the position. */
export function member(position: IndexedPosition, name: string): IndexedPosition {
  return {
    ...position,
    path: `${position.path}.${name}`,
    indexedPath: `${position.indexedPath}.${name}`,
  };
}

/** An element of the array at the position. */
export function element(position: IndexedPosition, index: number): IndexedPosition {
  return {
    ...position,
    path: `${position.path}[]`,
    indexedPath: `${position.indexedPath}[${index}]`,
  };
}
