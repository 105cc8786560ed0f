/** Embeddings asked for in Gemini's form, of a provider that speaks OpenAI's. */
import { invalid } from "../core/problem.ts";
import { asArray, asObject, isObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { EmbeddingForm, OperationCall } from "./operation.ts";
import { NoEmbeddings } from "./no-embeddings.ts";
import { readOperationUsage } from "./usage.ts";
import { readVector } from "./vectors.ts";

/** The requests in a body of Gemini's, with the paths at which they stand. Throws M300. */
export function embedRequests(
  fields: JsonObject,
  form: EmbeddingForm,
): { path: string; request: JsonObject }[] {
  if (form !== "batchEmbedContents") return [{ path: "", request: fields }];
  const { requests } = fields;
  if (!Array.isArray(requests) || requests.length === 0)
    throw invalid("requests", "must be a non-empty array");
  return requests.map((request, at) => {
    const path = `requests[${at}]`;
    if (!isObject(request)) throw invalid(path, "must be an object");
    return { path: `${path}.`, request };
  });
}

/** The text of a content, whose parts are one text to Gemini; undefined where it holds anything else. */
export function textOfContent(content: JsonValue | undefined): string | undefined {
  if (typeof content === "string") return content;
  const parts = asArray(asObject(content)?.["parts"]);
  const texts = parts.map((part) => asObject(part)?.["text"]);
  const known = texts.filter((text) => typeof text === "string");
  return parts.length > 0 && known.length === parts.length ? known.join("") : undefined;
}

export function embeddingsFromGemini(
  fields: JsonObject,
  form: EmbeddingForm,
  { model, path }: { model: string; path: string },
): OperationCall {
  const requests = embedRequests(fields, form);
  const input = requests.map(({ path: at, request }) => {
    const text = textOfContent(request["content"]);
    if (text === undefined)
      throw invalid(`${at}content`, "must be text: this model's provider embeds only text");
    return text;
  });
  const dimensions = sharedDimensions(requests);
  return {
    path,
    type: "application/json",
    body: JSON.stringify({
      model,
      input,
      encoding_format: "float",
      ...(dimensions !== undefined && { dimensions }),
    }),
    dropped: requests.flatMap(({ path: at, request }) =>
      Object.keys(request)
        .filter((name) => !known.has(name) && request[name] !== undefined && request[name] !== null)
        .map((name) => at + name),
    ),
    translate: (answer) => writeGeminiAnswer(answer, { form, count: input.length }),
  };
}

/** What is said in OpenAI's form too. */
const known = new Set(["model", "content", "outputDimensionality"]);

/** One length of vectors for all, because OpenAI's form has one. */
function sharedDimensions(requests: ReturnType<typeof embedRequests>): JsonValue | undefined {
  const [first, ...others] = requests.map(
    ({ request }) => request["outputDimensionality"] ?? undefined,
  );
  const odd = others.findIndex((each) => each !== first);
  if (odd >= 0)
    throw invalid(
      `requests[${odd + 1}].outputDimensionality`,
      "must be the same in every request: this model's provider takes one for all",
    );
  return first;
}

function writeGeminiAnswer(
  answer: JsonObject,
  { form, count }: { form: EmbeddingForm; count: number },
): JsonObject {
  const data = asArray(answer["data"]).map((item) => asObject(item) ?? {});
  if (data.length !== count) throw new NoEmbeddings();
  const placed = new Map(data.map((item, at) => [item["index"] ?? at, item]));
  const vectors = data.map((_, at) => {
    const values = readVector(placed.get(at)?.["embedding"]);
    if (values === undefined) throw new NoEmbeddings();
    return { values };
  });
  const input = readOperationUsage(answer["usage"])?.input;
  return {
    ...(form === "batchEmbedContents" ? { embeddings: vectors } : { embedding: vectors[0] }),
    ...(input !== undefined && { usageMetadata: { promptTokenCount: input } }),
  };
}
