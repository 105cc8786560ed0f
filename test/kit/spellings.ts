/** A secret in the spellings in which it may leave by accident. */
import { sha256 } from "../../src/lib/sha256.ts";

/** The text itself, reversed, percent-encoded, as base64 in both alphabets, as hex, and hashed. */
export function spellingsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    secret,
    [...secret].toReversed().join(""),
    [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
    hex,
    sha256(secret),
  ];
}
