/** Requests of the playground: sent to the public endpoints, each with a key of its own that is deleted at once. */
import * as z from "zod";
import { collect } from "../../../core/reply.ts";
import type { ReadContext } from "../../../core/format.ts";
import { clientFormatNames } from "../../../core/format-name.ts";
import { defaultTraits } from "../../../core/model.ts";
import type { Message, ModelRequest } from "../../../core/request.ts";
import { clientFormats, providerFormats } from "../../../formats/index.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noNames } from "../../../translation/tool-names.ts";
import { createKey, deleteKey } from "../../../admin/routes/document/keys.ts";
import { fieldProblem } from "../../shared/forms.ts";
import { originOf, type PageContext, type PageServices } from "../../shared/page-context.ts";
import { bodyIn, readBody } from "./replay.ts";

/** What the playground's script sends. */
export const playgroundRequestSchema = z.object({
  harness: z.string().min(1).max(64),
  format: z.enum(clientFormatNames),
  model: z.string().min(1).max(512),
  system: z.string().max(200_000),
  prompt: z.string().max(1_000_000),
  max: z.number().int().min(1).max(1_000_000),
  stream: z.boolean(),
  /** A whole body of the format as JSON text, which is sent in place of the prompt. */
  body: z.string().max(1_000_000).optional(),
});
/** One prompt for one model. */
export type PlaygroundRequest = z.infer<typeof playgroundRequestSchema>;

/** Milliseconds until the key expires, in case deleting it fails. */
const keyLifetime = 10 * 60_000;

/** Sends the request through the gateway. The response is whole or streamed. */
export async function sendPlaygroundRequest(
  c: PageContext,
  services: PageServices,
  asked: PlaygroundRequest,
): Promise<Response> {
  const { scope } = c.var.viewer;
  const key = await createKey(scope, asked.harness, {
    name: "playground",
    expires_at: new Date(Date.now() + keyLifetime).toISOString(),
  });
  try {
    const body = bodyOf(asked);
    const request = new Request(originOf(c) + pathOf(asked), {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${key.key}`,
      },
      body: JSON.stringify(body),
    });
    return await services.serve(request, c.env, c.executionCtx);
  } finally {
    // The request is admitted by now; its response does not need the key.
    await deleteKey(scope, asked.harness, key.id);
  }
}

/** Where a client of that format would send it. */
function pathOf({ format, model, stream }: PlaygroundRequest): string {
  const { path, addressed } = clientFormats[format];
  if (addressed !== true) return `/v1${path}`;
  const version = path.slice(0, path.lastIndexOf("/"));
  return version + providerFormats[format].endpoint.path(model, stream ? "stream" : "whole");
}

/** As a client of that format would send it. Throws M300 where it cannot be one. */
function bodyOf(asked: PlaygroundRequest): JsonObject {
  const { format, model, stream } = asked;
  const traits = defaultTraits(format);
  const target = { model, connection: "playground", format, traits, stream };
  return providerFormats[format].writeRequest(requestOf(asked), target).body;
}

function requestOf(asked: PlaygroundRequest): ModelRequest {
  const { format, body = "", prompt } = asked;
  if (body === "" && prompt === "") throw fieldProblem("prompt", "enter a prompt");
  if (body === "") return promptRequest(asked);
  const read = bodyIn(body);
  if (read === undefined) throw fieldProblem("body", "must be a JSON object");
  return readBody(format, read, asked);
}

/** Only the prompt. */
function promptRequest({
  format,
  model,
  system,
  prompt,
  max,
  stream,
}: PlaygroundRequest): ModelRequest {
  const instruction: Message = {
    role: "instruction",
    blocks: [{ kind: "text", text: system }],
    top: true,
  };
  const user: Message = { role: "user", blocks: [{ kind: "text", text: prompt }] };
  return {
    format,
    model,
    stream,
    wantsUsage: false,
    messages: system === "" ? [user] : [instruction, user],
    tools: [],
    maxOutput: max,
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
  };
}

/** The text of a whole response in any of the clients' formats, or its error message. */
export function responseText(format: PlaygroundRequest["format"], body: unknown): string {
  const failed = errorSchema.safeParse(body);
  if (failed.success) return failed.data.error.message;
  const json = z.json().safeParse(body);
  if (!json.success) return String(body);
  const events = providerFormats[format].readReply(json.data, context);
  const reply = collect(events);
  if ("failure" in reply) return JSON.stringify(body, null, 2);
  return reply.blocks.map((block) => (block.kind === "text" ? block.text : "")).join("");
}

const context: ReadContext = { origin: "playground", names: noNames };
const errorSchema = z.object({ error: z.object({ message: z.string() }) });
