/**
 * Provider credentials at rest: AES-GCM, bound to the workspace and the place they belong to, and tagged,
 * so that sealed and plain text are never taken for each other.
 */
import { base64url, fromBase64url } from "../lib/ids.ts";
import type { Keyring } from "./keyring.ts";

const mark = "sealed:1:";
const nonceLength = 12;

/** Where a secret belongs; another workspace, provider or field cannot open it. */
export interface SealPlace {
  workspace: string;
  provider: string;
  /** `api_key`, or `headers.<lower-case name>`. */
  field: string;
}

/** `sealed:1:<tag of the key>:<base64url(nonce, ciphertext)>`. */
export async function seal(text: string, place: SealPlace, ring: Keyring): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceLength));
  const algorithm = { name: "AES-GCM", iv, additionalData: boundTo(place) };
  const sealed = await crypto.subtle.encrypt(
    algorithm,
    ring[0].seal,
    new TextEncoder().encode(text),
  );
  const bytes = new Uint8Array(nonceLength + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), nonceLength);
  return `${mark}${ring[0].tag}:${base64url(bytes)}`;
}

/** The secret, or undefined when it is not sealed text, belongs elsewhere, or its key is gone. */
export async function open(
  sealed: string,
  place: SealPlace,
  ring: Keyring,
): Promise<string | undefined> {
  if (!isSealed(sealed)) return undefined;
  const [tag, body] = sealed.slice(mark.length).split(":", 2);
  const pair = ring.find((candidate) => candidate.tag === tag);
  const bytes = fromBase64url(body ?? "");
  if (pair === undefined || bytes === undefined || bytes.length <= nonceLength) return undefined;
  const algorithm = {
    name: "AES-GCM",
    iv: bytes.subarray(0, nonceLength),
    additionalData: boundTo(place),
  };
  try {
    const plain = await crypto.subtle.decrypt(algorithm, pair.seal, bytes.subarray(nonceLength));
    return new TextDecoder().decode(plain);
  } catch {
    // A wrong place or damaged text: the caller treats it as no usable credential.
    return undefined;
  }
}

/** Whether the text is sealed, with whatever key. */
export function isSealed(text: string): boolean {
  return text.startsWith(mark);
}

/** Whether the text was sealed with a key that is no longer the newest. */
export function isOutdated(sealed: string, ring: Keyring): boolean {
  return isSealed(sealed) && !sealed.startsWith(`${mark}${ring[0].tag}:`);
}

function boundTo(place: SealPlace): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([place.workspace, place.provider, place.field]));
}
