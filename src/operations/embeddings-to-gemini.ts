/** Embeddings asked for in OpenAI's form, of a provider that speaks Gemini's. */
import { invalid } from "../core/problem.ts";
import { checkCount } from "../core/request-bounds.ts";
import { asArray, asCount, asObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { estimateTokens } from "../tokens/text-tokens.ts";
import type { OperationCall } from "./operation.ts";
import { NoEmbeddings } from "./no-embeddings.ts";
import { readGeminiUsage } from "./usage.ts";
import { readVector, writeVector } from "./vectors.ts";

/** Of which every text is a request of its own: one content with several parts would be one vector. */
export function embeddingsToGemini(fields: JsonObject, model: string): OperationCall {
  const { input, encoding_format: encoding, ...rest } = fields;
  if (encoding !== undefined && encoding !== null && encoding !== "float" && encoding !== "base64")
    throw invalid("encoding_format", "must be float or base64");
  const texts = textsOf(input);
  const dimensions = dimensionsOf(rest["dimensions"]);
  const one = typeof input === "string";
  const requests = texts.map((text) => embedRequest(text, model, dimensions));
  const method = one ? "embedContent" : "batchEmbedContents";
  return {
    path: `/models/${encodeURIComponent(model)}:${method}`,
    type: "application/json",
    body: JSON.stringify(one ? requests[0] : { requests }),
    dropped: Object.keys(rest).filter((name) => !known.has(name) && isSet(rest[name])),
    translate: (answer) =>
      writeAnswer(answer, { texts, one, asked: fields["model"], base64: encoding === "base64" }),
  };
}

/** What is said in Gemini's form too. */
const known = new Set(["model", "dimensions"]);

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function textsOf(input: JsonValue | undefined): string[] {
  if (typeof input === "string") return [input];
  checkCount(input, "input", "texts");
  return asArray(input).map((text, at) => {
    if (typeof text === "string") return text;
    const what = typeof text === "number" ? "input" : `input[${at}]`;
    throw invalid(what, "must be text: this model's provider doesn't support tokens");
  });
}

function dimensionsOf(value: JsonValue | undefined): number | undefined {
  if (!isSet(value)) return undefined;
  const count = asCount(value);
  if (count === undefined || count < 1 || count !== value)
    throw invalid("dimensions", "must be an integer of at least 1");
  return count;
}

function embedRequest(text: string, model: string, dimensions: number | undefined): JsonObject {
  return {
    model: `models/${model}`,
    content: { parts: [{ text }] },
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  };
}

interface Echo {
  readonly texts: readonly string[];
  /** One text was asked for, not a list. */
  readonly one: boolean;
  readonly asked: JsonValue | undefined;
  readonly base64: boolean;
}

function writeAnswer(answer: JsonObject, { texts, one, asked, base64 }: Echo): JsonObject {
  const vectors = (one ? [answer["embedding"]] : asArray(answer["embeddings"])).map((each) =>
    readVector(asObject(each)?.["values"]),
  );
  if (vectors.length !== texts.length) throw new NoEmbeddings();
  const tokens =
    readGeminiUsage(answer["usageMetadata"])?.input ??
    texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return {
    object: "list",
    data: vectors.map((vector, index) => {
      if (vector === undefined) throw new NoEmbeddings();
      return { object: "embedding", index, embedding: base64 ? writeVector(vector) : vector };
    }),
    model: asked,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
