/** Reads what an administrator sent: JSON whatever the content type says, bounded, safe to walk. */
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import type * as z from "zod";
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { readWithin, TooLong } from "../../lib/bounded-read.ts";
import { byteReader } from "../../lib/bytes.ts";
import { TooSlow, timedReader, type Patience } from "../../lib/timed-read.ts";
import { checkTree, shapeProblem } from "../../store/document.ts";

const longestBody = 2 * 1024 * 1024;
/** Forms of the sign-in page come from anybody. */
const patience: Patience = { idle: 15_000, total: 60_000 };

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

/**
 * The whole body; 413 when it has more than `longest` bytes (2 MB unless set), 400 when its sender is too slow or breaks
 * off.
 */
export async function boundedBytes(
  { body, headers }: Request,
  longest: number = longestBody,
): Promise<Uint8Array> {
  if (Number(headers.get("content-length") ?? 0) > longest) throw tooLarge();
  if (body === null) return new Uint8Array(0);
  const reader = timedReader(byteReader(body), patience);
  try {
    return await readWithin(reader, { cap: longest });
  } catch (error) {
    // Nobody waits for the rest, nor for how its connection ends.
    reader.cancel().catch(() => undefined);
    if (error instanceof TooLong) throw tooLarge();
    throw invalid("body", error instanceof TooSlow ? "was sent too slowly" : "is not whole");
  } finally {
    reader.stop();
  }
}

function tooLarge(): Problem {
  return new Problem(problemCodes.invalidRequest, "body: is too large", { status: 413 });
}

/** Validates the query or the JSON body; the schema's first fault is a 400 that names its path. */
export function validated(target: "json" | "query", schema: z.ZodType): MiddlewareHandler {
  return zValidator(target, schema, (result) => {
    if (!result.success) throw shapeProblem(result.error.issues);
  });
}
