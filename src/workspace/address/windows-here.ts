/**
 * The windows that objects of this process count. A process of one's own is one isolate, which serves every request and
 * holds every object: requests are counted in the objects' own windows, without a call. On the platform an object may be
 * anywhere, and moves.
 */
import type { AddressWindows } from "./address-windows.ts";

/** By the object's id: there are sixteen. They outlive an object that is evicted or restarted. */
const windowsOfObjects = new Map<string, AddressWindows>();

/** Undefined until the object was called for the first time. */
export function windowsHere(id: string): AddressWindows | undefined {
  return windowsOfObjects.get(id);
}

/** The windows of the object with this id, made where it is the first of it in this process. */
export function keepWindowsHere(id: string, make: () => AddressWindows): AddressWindows {
  const known = windowsOfObjects.get(id);
  if (known !== undefined) return known;
  const made = make();
  windowsOfObjects.set(id, made);
  return made;
}
