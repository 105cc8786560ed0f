/** Requests of the playground: through the same endpoints as everybody's, with a key that lives as long as the call begins. */
import { z } from "zod";
import type { JsonObject } from "../lib/json.ts";
import { createKey, deleteKey } from "../admin/routes/keys.ts";
import { originOf, type PageContext, type PageServices } from "./shared/page-context.ts";

export const trySchema = z.object({
  harness: z.string().min(1).max(64),
  format: z.enum(["chat", "responses", "messages"]),
  model: z.string().min(1).max(512),
  system: z.string().max(200_000),
  prompt: z.string().min(1).max(1_000_000),
  max: z.number().int().min(1).max(1_000_000),
  stream: z.boolean(),
});
export type Try = z.infer<typeof trySchema>;

const paths = { chat: "chat/completions", responses: "responses", messages: "messages" } as const;
/** A key outlives its call by at most so long, should its deletion fail. */
const keyTime = 10 * 60_000;

/** The gateway's own answer to the try, whole or streamed. */
export async function runTry(c: PageContext, services: PageServices, wish: Try): Promise<Response> {
  const { scope } = c.var.viewer;
  const made = await createKey(scope, wish.harness, {
    name: "playground",
    expires_at: new Date(Date.now() + keyTime).toISOString(),
  });
  try {
    const request = new Request(`${originOf(c)}/v1/${paths[wish.format]}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${made.key}`,
        "anthropic-version": "2023-06-01",
      },
      body: JSON.stringify(bodyOf(wish)),
    });
    return await services.serve(request, c.env, c.executionCtx);
  } finally {
    // The call is admitted by now, and its answer needs the key no more.
    await deleteKey(scope, wish.harness, made.id);
  }
}

function bodyOf({ format, model, system, prompt, max, stream }: Try): JsonObject {
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

/** The words in a whole answer of any of the three formats, or its error's. */
export function wordsOf(format: Try["format"], body: unknown): string {
  const read = answers[format].safeParse(body);
  if (read.success) return read.data;
  const failed = failure.safeParse(body);
  return failed.success ? failed.data.error.message : JSON.stringify(body, null, 2);
}

const failure = z.object({ error: z.object({ message: z.string() }) });
const textPart = z.object({ text: z.string() });
const texts = z
  .array(z.unknown())
  .transform((parts) =>
    parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join(""),
  );
const answers = {
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
