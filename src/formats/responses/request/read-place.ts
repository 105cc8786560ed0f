/** Bookkeeping of what a client wrote and the neutral form has no room for. */
import type { Place as NamedPlace } from "../../../translation/unsupported.ts";

/** Where a reader stands. `path` is for reports (`input[].content[]`), `where` for refusals (`input[3].content[0]`). */
export interface Place extends NamedPlace {
  where: string;
}

/** A member of the place. */
export function member(place: Place, name: string): Place {
  return { ...place, path: `${place.path}.${name}`, where: `${place.where}.${name}` };
}

/** An element of the array that the place is. */
export function element(place: Place, index: number): Place {
  return { ...place, path: `${place.path}[]`, where: `${place.where}[${index}]` };
}
