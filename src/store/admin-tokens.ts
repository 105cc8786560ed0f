/**
 * Administrators' tokens and ids of sessions. Their text carries a check, so that a forged one costs no look-up:
 * base64url(version, tag of the encryption key, 32 random bytes, 8 bytes of HMAC over these and the kind).
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import { hex, type KeyPair, type Keyring } from "./keyring.ts";
import { sameBytes } from "./keys.ts";

/** What every administrator's token that is made here begins with. */
export const adminTokenPrefix = "gwa_";

const version = 1;
const tagLength = 4;
const randomLength = 32;
const checkLength = 8;
const signedLength = 1 + tagLength + randomLength;
/** What the version before made: random bytes alone. */
const uncheckedText = /^[\w-]{43}$/;

/** So that an id of one kind is none of the other. */
type Kind = "token" | "session";

/**
 * What a text says of itself. `proven`: made here. `unproven`: may be good, but only a look-up tells: of the version
 * before, or made with an encryption key that has been dropped from the list. `forged`: of the form of what is made
 * here, and nobody's. `foreign`: of another form.
 */
export type TokenProven = "proven" | "unproven" | "forged" | "foreign";

/** A new administrator's token, checked with the newest encryption key. */
export async function makeAdminToken(ring: Keyring): Promise<string> {
  return adminTokenPrefix + (await made("token", ring));
}

/** Whether the text is an administrator's token that was made here. */
export async function provenAdminToken(text: string, ring: Keyring): Promise<TokenProven> {
  if (!text.startsWith(adminTokenPrefix)) return "foreign";
  return await proven("token", text.slice(adminTokenPrefix.length), ring);
}

/** A new session's id. */
export function makeSessionId(ring: Keyring): Promise<string> {
  return made("session", ring);
}

/** Whether the text is a session's id that was made here. */
export function provenSessionId(text: string, ring: Keyring): Promise<TokenProven> {
  return proven("session", text, ring);
}

async function made(kind: Kind, [newest]: Keyring): Promise<string> {
  const bytes = new Uint8Array(signedLength + checkLength);
  bytes[0] = version;
  for (let at = 0; at < tagLength; at += 1)
    bytes[1 + at] = Number.parseInt(newest.tag.slice(2 * at, 2 * at + 2), 16);
  crypto.getRandomValues(bytes.subarray(1 + tagLength, signedLength));
  bytes.set(await checkOf(kind, bytes.subarray(0, signedLength), newest), signedLength);
  return base64url(bytes);
}

async function proven(kind: Kind, text: string, ring: Keyring): Promise<TokenProven> {
  if (uncheckedText.test(text)) return "unproven";
  const bytes = text.length > 100 ? undefined : fromBase64url(text);
  if (bytes?.length !== signedLength + checkLength || bytes[0] !== version) return "forged";
  // The same bytes have several base64url spellings; only the one that was handed out counts.
  if (base64url(bytes) !== text) return "forged";
  const tag = hex(bytes.subarray(1, 1 + tagLength));
  const pair = ring.find((candidate) => candidate.tag === tag);
  if (pair === undefined) return "unproven";
  const mac = await checkOf(kind, bytes.subarray(0, signedLength), pair);
  return sameBytes(mac, bytes.subarray(signedLength)) ? "proven" : "forged";
}

async function checkOf(
  kind: Kind,
  signed: Uint8Array,
  { checkToken }: KeyPair,
): Promise<Uint8Array> {
  const name = new TextEncoder().encode(kind);
  const text = new Uint8Array(name.length + signed.length);
  text.set(name);
  text.set(signed, name.length);
  return new Uint8Array(await crypto.subtle.sign("HMAC", checkToken, text)).subarray(
    0,
    checkLength,
  );
}
