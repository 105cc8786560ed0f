/**
 * Other makers' state in the `thoughtSignature` of a client's parts. Some clients hold the member as bytes and write it
 * again: it is plain base64, whose characters are the same in both of its alphabets.
 */
import { base64url, fromBase64url } from "../../../lib/ids.ts";
import { asArray, asString, isObject, parseJson, type JsonValue } from "../../../lib/json.ts";
import { isFormat } from "../../../core/format-name.ts";
import type { OpaqueState } from "../../../core/request.ts";
import { signatureTag, stateTag } from "../../../translation/opaque-state.ts";

/** State that a part carries: of the part itself, or of the reasoning before it. */
export interface PartState {
  readonly state: OpaqueState;
  readonly owner: "part" | "reasoning";
}

/**
 * The signature of a part with these states, of which there is at least one. Google's own goes to its clients as it is;
 * beside it nothing else can be carried.
 */
export function writeSignature(states: readonly PartState[]): string {
  const own = states.find(({ state }) => state.format === "gemini");
  if (own !== undefined) return own.state.data;
  const entries = states.map(({ state: { format, origin, type, data }, owner }) => ({
    f: format,
    ...(origin !== undefined && { o: origin }),
    t: type,
    d: data,
    ...(owner === "reasoning" && { r: 1 }),
  }));
  const text = base64url(new TextEncoder().encode(stateTag + JSON.stringify(entries)));
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, "=");
}

/** Whether this gateway wrote the signature. */
export function isOwnSignature(signature: string): boolean {
  return signature.startsWith(signatureTag);
}

/** The states in a signature that this gateway wrote; none in any other, a damaged one included. */
export function readSignature(signature: string): PartState[] {
  if (!isOwnSignature(signature)) return [];
  const plain = signature.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const bytes = fromBase64url(plain);
  const entries = bytes && parseJson(new TextDecoder().decode(bytes).slice(stateTag.length));
  return asArray(entries).flatMap(readEntry);
}

function readEntry(entry: JsonValue): PartState[] {
  if (!isObject(entry)) return [];
  const format = asString(entry["f"]) ?? "";
  const [origin, type, data] = [asString(entry["o"]), asString(entry["t"]), asString(entry["d"])];
  if (!isFormat(format) || type === undefined || data === undefined) return [];
  const state = { format, type, data, ...(origin !== undefined && { origin }) };
  return [{ state, owner: entry["r"] === 1 ? "reasoning" : "part" }];
}
