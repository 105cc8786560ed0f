/** Requests of the playground: sent to the public endpoints, each with a key of its own that is deleted at once. */
import { z } from "zod";
import type { JsonObject } from "../../../lib/json.ts";
import { createKey, deleteKey } from "../../../admin/routes/keys.ts";
import { originOf, type PageContext, type PageServices } from "../../shared/page-context.ts";

/** What the playground's script sends. */
export const playgroundRequestSchema = z.object({
  harness: z.string().min(1).max(64),
  format: z.enum(["chat", "responses", "messages"]),
  model: z.string().min(1).max(512),
  system: z.string().max(200_000),
  prompt: z.string().min(1).max(1_000_000),
  max: z.number().int().min(1).max(1_000_000),
  stream: z.boolean(),
});
/** One prompt for one model. */
export type PlaygroundRequest = z.infer<typeof playgroundRequestSchema>;

const paths = { chat: "chat/completions", responses: "responses", messages: "messages" } as const;
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
    const request = new Request(`${originOf(c)}/v1/${paths[asked.format]}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${key.key}`,
        "anthropic-version": "2023-06-01",
      },
      body: JSON.stringify(bodyOf(asked)),
    });
    return await services.serve(request, c.env, c.executionCtx);
  } finally {
    // The request is admitted by now; its response does not need the key.
    await deleteKey(scope, asked.harness, key.id);
  }
}

function bodyOf({ format, model, system, prompt, max, stream }: PlaygroundRequest): JsonObject {
  switch (format) {
    case "chat":
      return {
        model,
        stream,
        max_completion_tokens: max,
        messages: [
          ...(system === "" ? [] : [{ role: "system", content: system }]),
          { role: "user", content: prompt },
        ],
      };
    case "responses":
      return {
        model,
        stream,
        max_output_tokens: max,
        input: prompt,
        ...(system !== "" && { instructions: system }),
      };
    case "messages":
      return {
        model,
        stream,
        max_tokens: max,
        messages: [{ role: "user", content: prompt }],
        ...(system !== "" && { system }),
      };
    default:
      return format satisfies never;
  }
}

/** The text of a whole response in any of the three formats, or its error message. */
export function responseText(format: PlaygroundRequest["format"], body: unknown): string {
  const read = responseSchemas[format].safeParse(body);
  if (read.success) return read.data;
  const failed = errorSchema.safeParse(body);
  return failed.success ? failed.data.error.message : JSON.stringify(body, null, 2);
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });
const textPart = z.object({ text: z.string() });
const texts = z
  .array(z.unknown())
  .transform((parts) =>
    parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join(""),
  );
const responseSchemas = {
  chat: z
    .object({
      choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
    })
    .transform(({ choices }) => choices[0]?.message.content ?? ""),
  responses: z
    .object({ output: z.array(z.object({ content: texts.optional() })) })
    .transform(({ output }) => output.map(({ content }) => content ?? "").join("")),
  messages: z.object({ content: texts }).transform(({ content }) => content),
} as const;
