/** Embeddings as lists of numbers and as OpenAI writes them in base64: 32-bit floats, little-endian. */
import type { JsonValue } from "../lib/json.ts";

const floatSize = 4;
/** Characters that are made at once: as many as arguments may be passed. */
const slice = 0x2000;

/** Base64 of the numbers. */
export function writeVector(values: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(values.length * floatSize));
  values.forEach((value, at) => view.setFloat32(at * floatSize, value, true));
  const bytes = new Uint8Array(view.buffer);
  let binary = "";
  for (let at = 0; at < bytes.length; at += slice)
    binary += String.fromCharCode(...bytes.subarray(at, at + slice));
  return btoa(binary);
}

/** The numbers of either form; undefined where it is none. */
export function readVector(value: JsonValue | undefined): number[] | undefined {
  if (typeof value === "string") return readFloats(value);
  if (!Array.isArray(value)) return undefined;
  const numbers = value.filter((item) => typeof item === "number");
  return numbers.length === value.length ? numbers : undefined;
}

function readFloats(text: string): number[] | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (bytes.length % floatSize !== 0) return undefined;
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / floatSize }, (_, at) =>
      view.getFloat32(at * floatSize, true),
    );
  } catch {
    return undefined;
  }
}
