/** The request body: read under a cap, decoded strictly, parsed once. */
import { Problem, problemCodes } from "../core/problem.ts";
import {
  deepestJson,
  isObject,
  isTooDeep,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../lib/json.ts";

/** Decompressed bytes. */
export const bodyCap = 32 * 1024 * 1024;
/** A body that is refused for its size is read to its end all the same, if it is no longer than this. */
const mostDrained = 2 * bodyCap;
/** Longest time for which a refused caller may go on sending, in ms. */
const drainTime = 5000;

const encodings: Record<string, "gzip" | "deflate"> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * The body as text. Throws M300: 413 over `cap` decompressed bytes, 415 for another media type or an encoding
 * that the runtime cannot undo, 400 for invalid UTF-8 or a broken compression.
 */
export async function readBodyText(request: Request, cap = bodyCap): Promise<string> {
  checkMediaType(request.headers.get("content-type"));
  const bytes = await readBytes(request, cap).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    throw new Problem(problemCodes.invalidRequest, "body: ended before it was whole");
  });
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new Problem(problemCodes.invalidRequest, "body: not valid UTF-8");
  }
}

/** The body as a JSON object. Throws M300 as `readText`, and for what is not a JSON object. */
export function parseBody(text: string): JsonObject {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new Problem(problemCodes.invalidRequest, `body: ${whyUnread(text, value)}`);
}

function whyUnread(text: string, value: JsonValue | undefined): string {
  if (value !== undefined) return "must be a JSON object";
  return isTooDeep(text) ? `nested deeper than ${deepestJson} levels` : "not valid JSON";
}

function checkMediaType(type: string | null): void {
  if (type === null || /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw new Problem(problemCodes.invalidRequest, "content-type: must be application/json", {
    status: 415,
    code: "unsupported_media_type",
  });
}

async function readBytes(request: Request, cap: number): Promise<Uint8Array> {
  const { body } = request;
  if (body === null) return new Uint8Array(0);
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > cap) {
    await drain(body, length);
    throw tooLarge(cap);
  }
  if (encoding === "identity" || encoding === "") {
    // With a stated length the runtime itself holds the body to it.
    if (Number.isInteger(length)) return new Uint8Array(await request.arrayBuffer());
    return await counted(body, cap);
  }
  const format = encodings[encoding];
  if (format === undefined) {
    throw new Problem(
      problemCodes.invalidRequest,
      `content-encoding: ${encoding.slice(0, 40)} is not supported; send gzip, deflate or none`,
      {
        status: 415,
        code: "unsupported_media_type",
      },
    );
  }
  try {
    return await counted(body.pipeThrough(new DecompressionStream(format)), cap);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      problemCodes.invalidRequest,
      `content-encoding: the body is not valid ${format}`,
    );
  }
}

/** Reads a body of which nothing is wanted, so that its caller reads the answer instead of a broken pipe. */
async function drain(body: ReadableStream<Uint8Array>, length: number): Promise<void> {
  if (length > mostDrained) return;
  const reader = body.getReader();
  for (let total = 0; total <= mostDrained;) {
    const { done, value } = await reader.read();
    if (done) return;
    total += value.byteLength;
  }
}

/** Lets a caller that is refused before its body was read finish sending, for a while. */
export async function letFinish({ body, bodyUsed, headers }: Request): Promise<void> {
  if (body === null || bodyUsed) return;
  const length = Number(headers.get("content-length") ?? 0);
  // Whoever stops sending gets the answer at once.
  await forAWhile(drain(body, length).catch(() => undefined));
}

/** What the promise gives, if it does so before a refused caller has had time enough to send. */
export async function forAWhile<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), drainTime);
  });
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}

/**
 * All bytes, under the cap. Of a body that is larger the rest is read and forgotten, within reason: a caller that
 * is still sending would see a broken connection in place of the answer.
 */
async function counted(body: ReadableStream<Uint8Array>, cap: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.byteLength;
    if (total <= cap) chunks.push(value);
    else chunks.length = 0;
    if (total > mostDrained) {
      await reader.cancel();
      break;
    }
  }
  if (total > cap) throw tooLarge(cap);
  const whole = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function tooLarge(cap: number): Problem {
  return new Problem(problemCodes.invalidRequest, `body: larger than ${cap / (1024 * 1024)} MB`, {
    status: 413,
    code: "request_too_large",
  });
}
