/** Reads what an administrator sent: JSON whatever the content type says, bounded, safe to walk. */
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

interface JsonBody {
  /** An empty body counts as `{}`. */
  readonly optional?: boolean;
  /** In bytes; 2 MB unless set. */
  readonly longest?: number;
}

/** Reads and validates the body. The schema's first fault is a 400 that names its path. */
export function validBody(body: JsonBody & { readonly schema: z.ZodType }): MiddlewareHandler {
  return async (c, next) => {
    const value = await jsonIn(c.req.raw, body);
    c.req.addValidatedData("json", await accepted(body.schema, value));
    await next();
  };
}

/** The body's JSON value. Throws a 400 where it is none, or nests too deep. */
export async function jsonIn(request: Request, body: JsonBody = {}): Promise<unknown> {
  const text = new TextDecoder().decode(await boundedBytes(request, body.longest)).trim();
  if (text === "" && body.optional !== true) throw invalid("body", "a JSON object is needed");
  const value = parsed(text === "" ? "{}" : text);
  checkTree(value);
  return value;
}

/** Validates the query, as a text for each name, or a list of them where it stands more than once. */
export function validQuery(schema: z.ZodType): MiddlewareHandler {
  return async (c, next) => {
    const given = Object.entries(c.req.queries());
    const value = Object.fromEntries(
      given.map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
    );
    c.req.addValidatedData("query", await accepted(schema, value));
    await next();
  };
}

/** What the schema makes of the value; 400 with its first fault. */
async function accepted(schema: z.ZodType, value: unknown): Promise<object> {
  const { data, error } = await schema.safeParseAsync(value);
  if (error !== undefined) throw shapeProblem(error.issues);
  // The schemas of bodies and queries are those of objects.
  return data as object;
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
