/** A Gemini client: how it asks, and a parser that takes as little as the strictest of its programs. */
import { parsed, type Json } from "./asking.ts";

/** Chunks of a stream. Throws at anything that some program breaks at: comments, names of events, end marks. */
export function strictChunks(text: string): Json[] {
  if (text !== "" && !/(?:\r\n\r\n|\n\n)$/.test(text))
    throw new Error(`the last event lacks its blank line: ${text.slice(-80)}`);
  return text
    .split(/\r\n\r\n|\n\n/)
    .filter((block) => block !== "")
    .map((block) => {
      const line = /^data: (\{.*\})$/.exec(block)?.[1];
      if (line === undefined) throw new Error(`no line of data alone: ${block.slice(0, 200)}`);
      return JSON.parse(line) as Json;
    });
}

/** A part of a candidate, as loosely as tests look at it. */
export interface GeminiPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args: Json };
  inlineData?: { mimeType: string; data: string };
}

interface Candidate {
  content?: { parts?: GeminiPart[] };
  finishReason?: string;
  groundingMetadata?: Json;
}

/** The first candidate of a chunk or a whole answer. */
export function candidateOf(answer: Json): Candidate {
  // The shape of Google's answers; a test that reads on fails where it is another.
  return ((answer["candidates"] ?? []) as Candidate[])[0] ?? {};
}

/** The parts of an answer in one or more chunks. */
export function partsOf(chunks: readonly Json[]): GeminiPart[] {
  return chunks.flatMap((chunk) => candidateOf(chunk).content?.parts ?? []);
}

/** What a person would read: the text that is no thought. */
export function textOf(chunks: readonly Json[]): string {
  return partsOf(chunks)
    .map(({ text = "", thought }) => (thought === true ? "" : text))
    .join("");
}

/** `error.details` of an envelope by the last word of their types. */
export function detailsOf(body: string | Json): Record<string, Json> {
  const { error } = (typeof body === "string" ? parsed(body) : body) as { error?: Json };
  const details = (error?.["details"] ?? []) as Json[];
  return Object.fromEntries(
    details.map((detail) => [String(detail["@type"]).split(".").at(-1), detail]),
  );
}

/** A question, with whatever else its body says. */
export function question(more: Json = {}): Json {
  return { contents: [{ role: "user", parts: [{ text: "hi" }] }], ...more };
}

/** The paths of a call of a model, in every spelling that clients have. */
export function spellingsOf(model: string, method: string): string[] {
  const [connection = "", ...rest] = model.split("/");
  return [
    `/v1beta/models/${model}:${method}`,
    `/v1beta/models/${encodeURIComponent(model)}:${method}`,
    `/v1beta/${connection}/${rest.join("/")}:${method}`,
    `/v1/models/${model}:${method}`,
    `/v1/models/${encodeURIComponent(model)}:${method}`,
    `/v1beta/v1beta/models/${model}:${method}`,
    `/v1beta1/publishers/google/models/${model}:${method}`,
    `/v1alpha/models/${model}:${method}`,
    `/v1/v1beta/models/${model}:${method}`,
    `/v1beta/models/${model}:${method}/`,
    `/models/${model}:${method}`,
  ];
}
