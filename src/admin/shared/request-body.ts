/** Reads what an administrator sent: JSON whatever the content type says, bounded, safe to walk. */
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { checkTree, shapeProblem } from "../../store/document.ts";

const longestBody = 2 * 1024 * 1024;

/**
 * Prepares the body for the JSON validator. Without this, a body whose content type is not JSON would count as
 * an empty object, and a forgotten header would empty the configuration.
 */
export function jsonBody(body: {
  readonly optional?: boolean;
  /** In bytes; 2 MB unless set. */
  readonly longest?: number;
}): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await boundedBytes(c.req.raw, body.longest);
    const text = new TextDecoder().decode(bytes).trim();
    if (text === "" && body.optional !== true) throw invalid("body", "a JSON object is needed");
    const json = text === "" ? "{}" : text;
    checkTree(parsed(json));
    const { method, url } = c.req.raw;
    const headers = new Headers(c.req.raw.headers);
    headers.set("content-type", "application/json");
    c.req.raw = new Request(url, { method, headers, body: json });
    await next();
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("body", "is not JSON");
  }
}

/** The whole body; 413 when it has more than `longest` bytes (2 MB unless set). */
export async function boundedBytes(
  request: Request,
  longest: number = longestBody,
): Promise<Uint8Array> {
  const tooLarge = () =>
    new Problem(problemCodes.invalidRequest, "body: is too large", { status: 413 });
  if (Number(request.headers.get("content-length") ?? 0) > longest) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > longest) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Validates the query or the JSON body; the schema's first fault is a 400 that names its path. */
export function validated(target: "json" | "query", schema: z.ZodType): MiddlewareHandler {
  return zValidator(target, schema, (result) => {
    if (!result.success) throw shapeProblem(result.error.issues);
  });
}
