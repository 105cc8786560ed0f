/** A client's request of an operation written for one model: handed on where both sides speak one form, else translated. */
import type { ProviderFormatName } from "../core/format-name.ts";
import { topMembers, withValue } from "../lib/json-member.ts";
import { writeForm } from "../lib/multipart.ts";
import type { JsonObject } from "../lib/json.ts";
import { embeddingsFromGemini, embedRequests } from "./embeddings-from-gemini.ts";
import { embeddingsToGemini } from "./embeddings-to-gemini.ts";
import type { OperationCall, OperationContent, OperationRequest } from "./operation.ts";

/** Where the request goes: a model by its provider's id, in the format whose operations the provider offers. */
export interface OperationTarget {
  readonly model: string;
  readonly format: ProviderFormatName;
}

/** Throws M300 where the provider's form cannot say what the request says. */
export function writeOperation(request: OperationRequest, target: OperationTarget): OperationCall {
  const { operation, content, form } = request;
  const { fields } = content;
  const { model } = target;
  if (form === "openai")
    return target.format === "gemini"
      ? embeddingsToGemini(fields, model)
      : { path: operation.path, dropped: [], ...withModel(content, model) };
  if (target.format !== "gemini")
    return embeddingsFromGemini(fields, form, { model, path: operation.path });
  const path = `/models/${encodeURIComponent(model)}:${form}`;
  return { path, dropped: [], type: "application/json", body: geminiBody(request, model) };
}

/** The client's bytes with the provider's name of the model. */
function withModel(content: OperationContent, model: string): Pick<OperationCall, "type" | "body"> {
  if (content.kind === "json")
    return { type: "application/json", body: jsonWithModel(content.text, model) };
  const value = new TextEncoder().encode(model);
  const parts = content.parts.map((part) =>
    part.name === "model" ? { name: "model", value } : part,
  );
  const boundary = `gateway-${crypto.randomUUID()}`;
  return { type: `multipart/form-data; boundary=${boundary}`, body: writeForm(parts, boundary) };
}

function jsonWithModel(text: string, model: string): string {
  const span = topMembers(text, ["model"])?.get("model");
  const written = JSON.stringify(model);
  if (span === undefined || text.slice(span.start, span.end) === written) return text;
  return withValue(text, span, written);
}

/** Of the models that it names only those change that are not the provider's. */
function geminiBody({ content, form }: OperationRequest, model: string): string {
  if (content.kind !== "json") return "";
  const name = `models/${model}`;
  const requests = embedRequests(content.fields, form);
  const said = requests.every(({ request }) => (request["model"] ?? name) === name);
  if (said) return content.text;
  const named = requests.map(({ request }): JsonObject => ({ ...request, model: name }));
  return JSON.stringify(
    form === "batchEmbedContents" ? { ...content.fields, requests: named } : named[0],
  );
}
