/** The body of an operation's request: JSON or a form, read, and checked as the operation demands. */
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { topMembers } from "../../lib/json-member.ts";
import { boundaryOf, NotMultipart, readForm } from "../../lib/multipart.ts";
import type { JsonObject } from "../../lib/json.ts";
import { letOthersRun } from "../../lib/pace.ts";
import { embedRequests } from "../../operations/embeddings-from-gemini.ts";
import { checkFields, describeFields, fieldsOf } from "../../operations/fields.ts";
import { checkModelName } from "../../translation/model-name.ts";
import { countGeminiInput } from "../../operations/texts.ts";
import type {
  EmbeddingForm,
  Operation,
  OperationContent,
  OperationRequest,
} from "../../operations/operation.ts";
import { operationAsked } from "../../upstream/client-request.ts";
import { bodyBounds, isLarge, parseBody } from "../request/body.ts";
import type { Identified } from "../identify.ts";
import type { Parsed } from "../parse.ts";
import { planOperation } from "./plan-operation.ts";

/** What an endpoint asks for, in which form. */
export interface AskedFor {
  readonly operation: Operation;
  readonly form: EmbeddingForm;
}

/** Throws M300 (400, 413, 415) for an invalid body, M501 if there is no memory for it. */
export async function parseOperation(identified: Identified, asked: AskedFor): Promise<Parsed> {
  const { content, size } = await readContent(identified, asked.operation);
  const request = operationAsked(requestOf(content, asked, identified), size);
  return { ...identified, request, planner: planOperation };
}

/** The same request, which has what its operation demands. Throws M300 that names the field. */
export function checkedOperation(parsed: Parsed): Parsed {
  const asked = parsed.request.operation;
  if (asked === undefined) return parsed;
  const { operation, content, form } = asked;
  if (form !== "openai") {
    checkModelName(parsed.request.description.model);
    embedRequests(content.fields, form);
    return parsed;
  }
  checkFields(operation, content.fields);
  // Readers differ in which of two counts, and the key may reach only one of them.
  if (
    content.kind === "json" &&
    (topMembers(content.text, ["model"])?.get("model")?.times ?? 1) > 1
  )
    throw invalid("model", "must be given once");
  return parsed;
}

function requestOf(
  content: OperationContent,
  { operation, form }: AskedFor,
  { address }: Identified,
): OperationRequest {
  const { fields } = content;
  let counted: { tokens: number | undefined } | undefined;
  const count = (): number | undefined =>
    form === "openai" ? operation.inputTokens(fields) : countGeminiInput(fields);
  return {
    operation,
    content,
    form,
    description: describeFields(operation, fields, form === "openai" ? undefined : address?.model),
    inputTokens: () => (counted ??= { tokens: count() }).tokens,
  };
}

async function readContent(
  identified: Identified,
  { body }: Operation,
): Promise<{ content: OperationContent; size: number }> {
  const { headers, memory } = identified;
  const bounds = bodyBounds(identified);
  const type = headers.get("content-type") ?? "";
  if (body === "form" && /^\s*multipart\//i.test(type)) {
    const boundary = boundaryOf(type);
    if (boundary === undefined)
      throw notForm("content-type: must be multipart/form-data with a boundary", 415);
    const bytes = await identified.body.bytes(bounds);
    return { content: formContent(bytes, boundary), size: bytes.length };
  }
  if (body === "form" && !/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw notForm("content-type: must be multipart/form-data or application/json", 415);
  const text = await identified.body.text(bounds);
  if (isLarge(text.length)) await letOthersRun();
  const fields: JsonObject = parseBody(text, memory.holds);
  return { content: { kind: "json", text, fields }, size: text.length };
}

function formContent(bytes: Uint8Array, boundary: string): OperationContent {
  try {
    const parts = readForm(bytes, boundary);
    return { kind: "form", parts, fields: fieldsOf(parts) };
  } catch (error) {
    if (error instanceof NotMultipart) throw notForm(`body: not a form: ${error.message}`);
    throw error;
  }
}

function notForm(message: string, status = 400): Problem {
  return new Problem(problemCodes.invalidRequest, message, { status });
}
