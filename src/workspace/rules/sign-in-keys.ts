/** Keys that come with the sign-in of a program: they expire soon, and a new one follows with every refresh. */
import type { KeyRecord } from "../../store/snapshot.ts";

const idPrefix = "key_sign_in_";

/** The id says which sign-in the key belongs to; the same text gets the same id. */
export function signInKeyId(signIn: string, hash: string): string {
  return `${idPrefix}${signIn}_${hash.slice(0, 12)}`;
}

/** The sign-in that the key belongs to; undefined for every other key. */
export function signInOfKey(keyId: string): string | undefined {
  return /^key_sign_in_([\da-f]+)_/.exec(keyId)?.[1];
}

/**
 * The keys that go when a new one comes: every sign-in's that expired, and of its own sign-in all but the latest before
 * it, with which requests may still be running.
 */
export function keysReplacedBy(
  key: KeyRecord,
  keys: Iterable<KeyRecord>,
  now: number,
): KeyRecord[] {
  const signIn = signInOfKey(key.id);
  const known = [...keys].filter(({ id }) => id !== key.id && signInOfKey(id) !== undefined);
  const own = known.filter(({ id }) => signInOfKey(id) === signIn);
  const latest = own.reduce<KeyRecord | undefined>(
    (last, each) => (last === undefined || each.created_at >= last.created_at ? each : last),
    undefined,
  );
  return known.filter((each) => {
    const over = each.expires_at !== null && Date.parse(each.expires_at) <= now;
    return over || (signInOfKey(each.id) === signIn && each !== latest);
  });
}
