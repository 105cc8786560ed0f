/** Reads what an administrator sent: JSON whatever the content type says, bounded, safe to walk. */
import type { MiddlewareHandler } from "hono";
import { zValidator } from "@hono/zod-validator";
import type { z } from "zod";
import { invalid, Problem } from "../core/problem.ts";
import { checkTree, shapeProblem } from "../store/document.ts";

const longestBody = 2 * 1024 * 1024;
/** A client's request, as large as the gateway itself takes one. */
export const longestRequest = 32 * 1024 * 1024;

/**
 * Makes the body one that the JSON validator reads. Without this a body whose content type is not JSON would
 * count as an empty object, and a configuration would be emptied by a forgotten header.
 */
export function jsonBody(allowed: { optional: boolean; longest?: number }): MiddlewareHandler {
  const { optional, longest } = allowed;
  return async (c, next) => {
    const bytes = await boundedBytes(c.req.raw, longest);
    const text = new TextDecoder().decode(bytes).trim();
    if (text === "" && !optional) throw invalid("body", "a JSON object is needed");
    const value = parsed(text === "" ? "{}" : text);
    checkTree(value);
    const { method, url } = c.req.raw;
    const headers = new Headers(c.req.raw.headers);
    headers.set("content-type", "application/json");
    c.req.raw = new Request(url, { method, headers, body: text === "" ? "{}" : text });
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

/** The whole body; refuses one that is too large for anything an administrator sends. */
export async function boundedBytes(
  request: Request,
  longest: number = longestBody,
): Promise<Uint8Array> {
  const tooLarge = () => new Problem("M300", "body: is too large", { status: 413 });
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

/** The schema's first fault as the Problem that names its path. */
export function checked<Target extends "json" | "query", Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
    if (!result.success) throw shapeProblem(result.error.issues);
  });
}
