/** How many keys there may be: each is read with its workspace and kept in memory. */
import type { KeyRecord } from "../../store/snapshot.ts";
import { signInOfKey } from "./sign-in-keys.ts";

/** Keys of one person in a workspace, and of the whole workspace; those of programs' sign-ins replace each other. */
export const mostKeys = { ofPerson: 200, inAll: 10_000 } as const;

/** Whether one more may be made for the same person. */
export function hasRoomForKey(keys: Iterable<KeyRecord>, { person }: KeyRecord): boolean {
  let [own, all] = [0, 0];
  for (const key of keys) {
    if (signInOfKey(key.id) !== undefined) continue;
    all += 1;
    if (person !== undefined && key.person === person) own += 1;
  }
  return own < mostKeys.ofPerson && all < mostKeys.inAll;
}
