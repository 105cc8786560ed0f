/** Where Gemini's requests go: the path names the model and the method, the query the form of the answer. */
import type { RequestAddress } from "../../../core/format.ts";

/** What clients ask of a model. */
export type GeminiMethod =
  | "generateContent"
  | "streamGenerateContent"
  | "countTokens"
  | "embedContent"
  | "batchEmbedContents";

const methods: ReadonlySet<string> = new Set<GeminiMethod>([
  "generateContent",
  "streamGenerateContent",
  "countTokens",
  "embedContent",
  "batchEmbedContents",
]);

/** A model and what is asked of it. */
export interface GeminiAddress {
  /** Percent-decoded, without `models/` in front; may hold slashes and colons. */
  readonly model: string;
  readonly method: GeminiMethod;
}

/**
 * Of a path behind its version (`/models/m:generateContent`; also `/m:…` and `/publishers/google/models/m:…`); the last
 * colon counts. Undefined where it names no method of Gemini's.
 */
export function readAddress(path: string): GeminiAddress | undefined {
  const colon = path.lastIndexOf(":");
  const method = path.slice(colon + 1);
  if (colon < 0 || !isMethod(method)) return undefined;
  const named = path.slice(0, colon).replace(/^\/(?:publishers\/google\/)?(?:models\/)?/, "");
  const model = decoded(named);
  return model === undefined || model === "" ? undefined : { model, method };
}

/** What a generation's address says; `query` with its question mark, or empty. */
export function generationAddress({ model, method }: GeminiAddress, query: string): RequestAddress {
  if (method !== "streamGenerateContent") return { model, answer: "whole" };
  const events = new URLSearchParams(query).get("alt") === "sse";
  return { model, answer: events ? "events" : "array" };
}

function isMethod(word: string): word is GeminiMethod {
  return methods.has(word);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
