/** Reads what an administrator sent: JSON whatever the content type says, bounded, safe to walk. */
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type * as z from "zod";
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { readWithin, TooLong } from "../../lib/bounded-read.ts";
import { byteReader } from "../../lib/bytes.ts";
import { deepestJson, isTooDeep } from "../../lib/json.ts";
import { TooSlow, timedReader, type Patience } from "../../lib/timed-read.ts";
import { checkTree, shapeProblem } from "../../store/document.ts";

const longestBody = 2 * 1024 * 1024;
/** Forms of the sign-in page come from anybody. */
const patience: Patience = { idle: 15_000, total: 60_000 };

interface JsonBody {
  /** An empty body counts as `{}`. */
  readonly optional?: boolean;
  /** In bytes; 2 MB unless set. */
  readonly longest?: number;
}

/** Reads and validates the body. The schema's first fault is a 400 that names its path. */
export function validBody({
  schema,
  ...body
}: JsonBody & { readonly schema: z.ZodType }): MiddlewareHandler {
  const validate = zValidator("json", schema, throwFirstFault, {
    validationFunction(_, value) {
      checkTree(value);
      return schema.safeParseAsync(value);
    },
  });
  return async (c, next) => {
    c.req.raw = asJson(c.req.raw, await boundedJson(c.req.raw, body));
    try {
      return await validate(c, next);
    } catch (error) {
      // What handlers throw does not come here: Hono answers it where they are called.
      throw error instanceof HTTPException ? notJson() : error;
    }
  };
}

/** Validates the query, as a text for each name, or a list of them where it stands more than once. */
export function validQuery(schema: z.ZodType): MiddlewareHandler {
  return zValidator("query", schema, throwFirstFault);
}

/** The body's JSON value. Throws a 400 where it is none, or nests too deep. */
export async function jsonIn(request: Request, body: JsonBody = {}): Promise<unknown> {
  const value = parsed(await boundedJson(request, body));
  checkTree(value);
  return value;
}

function throwFirstFault(result: {
  readonly success: boolean;
  readonly error?: z.core.$ZodError;
}): void {
  if (result.error !== undefined) throw shapeProblem(result.error.issues);
}

async function boundedJson(request: Request, { optional, longest }: JsonBody): Promise<string> {
  const text = new TextDecoder().decode(await boundedBytes(request, longest)).trim();
  if (text === "" && optional !== true) throw invalid("body", "must be a JSON object");
  // Before anything parses it: the parser takes a minute for millions of levels.
  if (isTooDeep(text)) throw invalid("body", `nested deeper than ${deepestJson} levels`);
  return text === "" ? "{}" : text;
}

/**
 * The same request with a content type that the validator takes for JSON. To it any other body is an empty object, and
 * a forgotten header would empty the configuration.
 */
function asJson({ url, method, headers: sent }: Request, body: string): Request {
  const headers = new Headers(sent);
  headers.set("content-type", "application/json");
  return new Request(url, { method, headers, body });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): Problem {
  return invalid("body", "is not JSON");
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
    throw invalid("body", error instanceof TooSlow ? "was sent too slowly" : "is incomplete");
  } finally {
    reader.stop();
  }
}

function tooLarge(): Problem {
  return new Problem(problemCodes.invalidRequest, "body: is too large", { status: 413 });
}
