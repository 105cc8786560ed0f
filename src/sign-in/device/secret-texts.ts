/**
 * Device codes and refresh tokens. Each carries a check, so that a guessed one is refused without asking anybody.
 * What follows from a refresh token (its successor, and the key that comes with it) is derived from it with the
 * deployment's encryption key: a refresh that is asked for twice gives the same twice, and no text is stored.
 */
import { base64url } from "../../lib/ids.ts";
import { hex, type Keyring, type KeyPair } from "../../store/keyring.ts";
import { sameBytes } from "../../store/keys.ts";

const devicePrefix = "gwd_";
const refreshPrefix = "gwr_";
const secretLength = 32;
const checkLength = 8;

/** A new device code: `gwd_`, 32 random bytes and a check. */
export async function makeDeviceCode(ring: Keyring): Promise<string> {
  return await withCheck(devicePrefix + base64url(randomBytes(secretLength)), ring[0]);
}

/** Whether the text is a device code that was made here. */
export async function isDeviceCode(text: string, ring: Keyring): Promise<boolean> {
  return /^gwd_[\w-]{54}$/.test(text) && (await isMade(text, ring));
}

/** A refresh token with the sign-in that it belongs to. */
export interface RefreshToken {
  readonly text: string;
  readonly signIn: string;
}

/** The first refresh token of a new sign-in: `gwr_`, the sign-in's id, 32 bytes and a check. */
export async function firstRefreshToken(ring: Keyring): Promise<RefreshToken> {
  const signIn = hex(randomBytes(12));
  return await refreshToken(signIn, randomBytes(secretLength), ring);
}

/** The token, where it was made here. */
export async function readRefreshToken(
  text: string,
  ring: Keyring,
): Promise<RefreshToken | undefined> {
  const signIn = /^gwr_([\da-f]{24})[\w-]{54}$/.exec(text)?.[1];
  if (signIn === undefined || !(await isMade(text, ring))) return undefined;
  return { text, signIn };
}

/** The token that takes this one's place. */
export async function successorOf(token: RefreshToken, ring: Keyring): Promise<RefreshToken> {
  const secret = await derived(`refresh token after ${token.text}`, ring[0]);
  return await refreshToken(token.signIn, secret, ring);
}

/** The 32 bytes of the access token that is handed out with a refresh token. */
export async function accessSecret(token: RefreshToken, ring: Keyring): Promise<Uint8Array> {
  return await derived(`access token with ${token.text}`, ring[0]);
}

async function refreshToken(
  signIn: string,
  secret: Uint8Array,
  ring: Keyring,
): Promise<RefreshToken> {
  const text = await withCheck(refreshPrefix + signIn + base64url(secret), ring[0]);
  return { text, signIn };
}

async function withCheck(text: string, pair: KeyPair): Promise<string> {
  return text + base64url(await checkOf(text, pair));
}

/** Texts made with an older encryption key are good while that key is listed. */
async function isMade(text: string, ring: Keyring): Promise<boolean> {
  const checked = text.slice(0, -11);
  const given = new TextEncoder().encode(text.slice(-11));
  for (const pair of ring) {
    const right = new TextEncoder().encode(base64url(await checkOf(checked, pair)));
    if (sameBytes(right, given)) return true;
  }
  return false;
}

async function checkOf(text: string, pair: KeyPair): Promise<Uint8Array> {
  return (await derived(`check of ${text}`, pair)).subarray(0, checkLength);
}

async function derived(text: string, { check }: KeyPair): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", check, new TextEncoder().encode(text)));
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
