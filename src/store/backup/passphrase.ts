/** Passphrases of backups: how long they are, and the key that is made of one. */
import { invalid } from "../../core/problem.ts";

/** In characters. */
export const shortestPassphrase = 12;
const longestPassphrase = 1024;

/** Rounds of PBKDF2 in one pass: the most that the platform allows at once. */
const roundsOfPass = 100_000;
/** Passes of a new file: 600,000 rounds, as OWASP asks for PBKDF2 with HMAC-SHA-256. */
export const newPasses = 6;
/** Passes that a file may ask for: its head comes from anybody. */
export const mostPasses = 60;

/** The passphrase as it is used. Throws a 400 that names the field. */
export function checkedPassphrase(text: unknown): string {
  if (typeof text !== "string" || text === "") throw invalid("passphrase", "is missing");
  if (text.length < shortestPassphrase)
    throw invalid("passphrase", `needs at least ${shortestPassphrase} characters`);
  if (text.length > longestPassphrase)
    throw invalid("passphrase", `has more than ${longestPassphrase} characters`);
  // The same letters may be typed in several ways.
  return text.normalize("NFC");
}

/** What a file says of how its key is made. */
export interface KeyRecipe {
  readonly salt: Uint8Array;
  readonly passes: number;
}

/** Done when a pass may begin. */
export type PassTurn = () => Promise<void>;

/** Where nobody else waits for a turn but what else the process does. */
export const anyTime: PassTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** The AES-GCM key of a file. Passes follow each other, each on what the one before gave: about 40 ms each. */
export async function fileKeyOf(
  passphrase: string,
  { salt, passes }: KeyRecipe,
  turn: PassTurn,
): Promise<CryptoKey> {
  let secret: Uint8Array = new TextEncoder().encode(passphrase);
  for (let pass = 0; pass < passes; pass += 1) {
    await turn();
    const base = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveBits"]);
    const recipe = { name: "PBKDF2", hash: "SHA-256", salt, iterations: roundsOfPass };
    secret = new Uint8Array(await crypto.subtle.deriveBits(recipe, base, 256));
  }
  return await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"]);
}
