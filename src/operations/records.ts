/** The operations, each with everything of its wire beside what embeddings translate. */
import { invalid } from "../core/problem.ts";
import { operationNames, type OperationName } from "../core/operation-name.ts";
import { asArray, asCount, asFilledString, type JsonObject } from "../lib/json.ts";
import type { Operation } from "./operation.ts";
import { countInput } from "./texts.ts";

/** Output tokens of the largest image in the best quality. */
const imageTokens = 6240;
/** Output tokens of spoken text: a minute has about 1,250 of them and 900 characters. */
const tokensOfCharacter = 1.4;

const embeddings: Operation = {
  name: "embeddings",
  path: "/embeddings",
  body: "json",
  answer: "json",
  output: "none",
  check: needsInput,
  inputTokens: ({ input }) => countInput(input),
};

const images: Operation = {
  name: "images",
  path: "/images/generations",
  body: "json",
  answer: "json",
  output: "uncounted",
  check: needsText("prompt"),
  inputTokens: ({ prompt }) => countInput(prompt),
  mostOutput: ({ n }) => imageTokens * Math.max(1, asCount(n) ?? 1),
};

const imageEdits: Operation = {
  ...images,
  name: "image_edits",
  path: "/images/edits",
  body: "form",
  check: () => undefined,
  // The images are read too, and only their maker knows at how many tokens.
  inputTokens: () => undefined,
};

const speech: Operation = {
  name: "speech",
  path: "/audio/speech",
  body: "json",
  answer: "media",
  output: "uncounted",
  check: needsText("input"),
  inputTokens: ({ input }) => countInput(input),
  mostOutput: ({ input }) =>
    Math.max(1, Math.ceil((typeof input === "string" ? input.length : 0) * tokensOfCharacter)),
  streams: (fields) => fields["stream_format"] === "sse",
};

const transcriptions: Operation = {
  name: "transcriptions",
  path: "/audio/transcriptions",
  body: "form",
  answer: "text",
  output: "text",
  check: () => undefined,
  inputTokens: () => undefined,
};

const translations: Operation = {
  ...transcriptions,
  name: "translations",
  path: "/audio/translations",
};

const completions: Operation = {
  name: "completions",
  path: "/completions",
  body: "json",
  answer: "json",
  output: "text",
  check: () => undefined,
  inputTokens: ({ prompt, suffix }) => countInput(prompt) + countInput(suffix),
};

const moderations: Operation = {
  name: "moderations",
  path: "/moderations",
  body: "json",
  answer: "json",
  output: "none",
  check: needsInput,
  inputTokens: ({ input }) => countInput(input),
};

const rerank: Operation = {
  name: "rerank",
  path: "/rerank",
  body: "json",
  answer: "json",
  output: "none",
  check(fields) {
    needsText("query")(fields);
    if (!Array.isArray(fields["documents"])) throw invalid("documents", "must be an array");
  },
  // The query is read with every document.
  inputTokens: ({ query, documents }) =>
    countInput(documents) + countInput(query) * Math.max(1, asArray(documents).length),
};

const all = {
  embeddings,
  images,
  image_edits: imageEdits,
  speech,
  transcriptions,
  translations,
  completions,
  moderations,
  rerank,
} as const satisfies Record<OperationName, Operation>;

/** The operations by name. */
export const operations: Readonly<Record<OperationName, Operation>> = all;

/** The same in their order. */
export const allOperations: readonly Operation[] = operationNames.map((name) => all[name]);

function needsInput({ input }: JsonObject): void {
  if ((typeof input === "string" && input !== "") || (Array.isArray(input) && input.length > 0))
    return;
  throw invalid("input", "must be a non-empty string or array");
}

function needsText(name: string): (fields: JsonObject) => void {
  return (fields) => {
    if (asFilledString(fields[name]) === undefined)
      throw invalid(name, "must be a non-empty string");
  };
}
