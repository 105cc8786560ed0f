/** The request body: read under a cap, decoded strictly, parsed once. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { readWithin, TooLong } from "../../lib/bounded-read.ts";
import { byteReader, type ByteReader } from "../../lib/bytes.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import { inflated, NotCompressed, type Compression } from "../../lib/inflate.ts";
import { countValues } from "../../lib/json-size.ts";
import { isObject, parseDeepJson, type JsonObject } from "../../lib/json.ts";
import type { RequestTimer } from "../../lib/request-timer.ts";
import { inTime, timedReader, TooSlow, type Patience } from "../../lib/timed-read.ts";
import { departed } from "../../workspace/rules/sums/logged-outcome.ts";
import { readAway } from "./unread-body.ts";

/** Decompressed bytes. */
const bodyCap = 32 * 1024 * 1024;
/** How long the caller of a good key may take to send its body. */
const bodyPatience: Patience = { idle: 30_000, total: 120_000 };
/** Objects, arrays, members and items: every one is at least a token, and no model reads as many. */
const mostValues = 4_000_000;
/** A body that says it is no longer is read in one go. */
const smallBody = 64 * 1024;
/** Characters up to which values are not counted: that costs several times the parsing, and they take 5 MB at most. */
const uncounted = 128 * 1024;

const encodings: Record<string, Compression | "none"> = {
  "": "none",
  identity: "none",
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

export interface BodyBounds {
  /** Most bytes, inflated. */
  readonly cap: number;
  readonly patience: Patience;
  readonly timer: RequestTimer;
  /** Told how many bytes there are so far; what it throws ends the read. */
  readonly grown?: (bytes: number) => void;
}

/** Those of a request whose caller is known. */
export function bodyBounds({
  memory,
  timer,
}: {
  readonly memory: { grow(bytes: number): void };
  readonly timer: RequestTimer;
}): BodyBounds {
  return { cap: bodyCap, patience: bodyPatience, timer, grown: memory.grow };
}

/** Who sends a body, and what waits for it. */
interface BodySource {
  readonly http: Request;
  /** Those of `http`. */
  readonly headers: HeaderReader;
}

/** The body of one request. */
export class RequestBody {
  readonly #http: Request;
  readonly #headers: HeaderReader;
  /** A small body, read in one go. */
  #small: Promise<ArrayBuffer> | undefined;

  constructor({ http, headers }: BodySource) {
    this.#http = http;
    this.#headers = headers;
  }

  /** Begins to read a small body, so that it arrives while another call runs. */
  begin(): void {
    if (isSmall(this.#headers)) this.#readSmall().catch(() => undefined);
  }

  /**
   * As text. Throws M300: 413 over the cap, 415 for another media type or an encoding that the runtime cannot undo, 400
   * for invalid UTF-8, a broken compression or a sender that is too slow; and what `grown` throws.
   */
  async text(bounds: BodyBounds): Promise<string> {
    checkMediaType(this.#headers.get("content-type"));
    const bytes = await this.bytes(bounds);
    try {
      return strictUtf8.decode(bytes);
    } catch {
      throw new Problem(problemCodes.invalidRequest, "body: not valid UTF-8");
    } finally {
      // The text takes the place of a large body's bytes now, not when somebody collects them.
      if (bytes.length > smallBody) free(bytes);
    }
  }

  /** Inflated, whatever its media type. Throws as `text` does. */
  async bytes(bounds: BodyBounds): Promise<Uint8Array> {
    try {
      return await this.#read(bounds);
    } catch (error) {
      throw bodyProblem(error, bounds);
    }
  }

  async #read(bounds: BodyBounds): Promise<Uint8Array> {
    if (isSmall(this.#headers) && bounds.cap >= smallBody)
      return new Uint8Array(await inTime(this.#readSmall(), bounds.patience.idle, bounds.timer));
    const { body } = this.#http;
    if (body === null) return new Uint8Array(0);
    const encoding = encodingOf(this.#headers);
    const length = statedLength(this.#headers);
    return await readPieces(byteReader(body), { ...bounds, encoding, length });
  }

  /** The runtime itself holds the body to its length. */
  #readSmall(): Promise<ArrayBuffer> {
    return (this.#small ??= this.#http.arrayBuffer());
  }
}

/** Whether it says that it is, in bytes that nothing has to undo. */
function isSmall(headers: HeaderReader): boolean {
  const length = statedLength(headers);
  return length !== undefined && length <= smallBody && headers.get("content-encoding") === null;
}

/**
 * The body as a JSON object. `holds` is told how many values a body of some size has, before they take memory. Throws
 * M300 for what is no object and for one of too many values (413), and what `holds` throws.
 */
export function parseBody(text: string, holds: (values: number) => void): JsonObject {
  if (text.length > uncounted) {
    const values = countValues(text, mostValues);
    if (values > mostValues) throw tooManyValues();
    holds(values);
  }
  const value = parseDeepJson(text);
  if (isObject(value)) return value;
  throw new Problem(
    problemCodes.invalidRequest,
    value === undefined ? "body: not valid JSON" : "body: must be a JSON object",
  );
}

function tooManyValues(): Problem {
  const most = mostValues.toLocaleString("en-US");
  const message = `body: holds more than ${most} JSON values`;
  return new Problem(problemCodes.invalidRequest, message, { status: 413 });
}

function checkMediaType(type: string | null): void {
  if (type === null || type === "application/json") return;
  if (/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw new Problem(problemCodes.invalidRequest, "content-type: must be application/json", {
    status: 415,
  });
}

interface Sent extends BodyBounds {
  readonly encoding: Compression | "none";
  readonly length: number | undefined;
}

/** A caller whose body is refused may finish sending it, because it reads no answer before. */
async function readPieces(raw: ByteReader, sent: Sent): Promise<Uint8Array> {
  const { cap, encoding, length } = sent;
  const timed = timedReader(raw, sent.patience);
  try {
    if (length !== undefined && length > cap) throw new TooLong();
    if (encoding !== "none")
      return await readWithin(inflated(timed, encoding, cap), { cap, grown: sent.grown });
    return await readWithin(timed, { cap, length, grown: sent.grown });
  } catch (error) {
    if (error instanceof TooLong || error instanceof Problem) await readAway(raw, length);
    // Nobody waits for the rest, nor for how its connection ends.
    else raw.cancel().catch(() => undefined);
    throw error;
  } finally {
    timed.stop();
  }
}

function statedLength(headers: HeaderReader): number | undefined {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return Number.isInteger(length) && length >= 0 ? length : undefined;
}

function encodingOf(headers: HeaderReader): Compression | "none" {
  const named = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const encoding = Object.hasOwn(encodings, named) ? encodings[named] : undefined;
  if (encoding !== undefined) return encoding;
  throw new Problem(
    problemCodes.invalidRequest,
    `content-encoding: ${named.slice(0, 40)} is not supported; send gzip, deflate or none`,
    { status: 415 },
  );
}

/** The problem that a failed read of the body is reported as. */
function bodyProblem(error: unknown, { cap, patience }: BodyBounds): Problem {
  if (error instanceof Problem) return error;
  const { invalidRequest } = problemCodes;
  if (error instanceof TooLong) {
    const message = `body: larger than ${cap / (1024 * 1024)} MB`;
    return new Problem(invalidRequest, message, { status: 413 });
  }
  if (error instanceof NotCompressed)
    return new Problem(invalidRequest, "content-encoding: the body is not compressed that way");
  if (error instanceof TooSlow) {
    const [idle, total] = [patience.idle / 1000, patience.total / 1000];
    const message = `body: sent too slowly; ${idle} s without a byte or ${total} s in all end it`;
    return new Problem(invalidRequest, message);
  }
  // Its sender ended the connection, or its half of it.
  return new Problem(invalidRequest, "body: incomplete", { status: departed });
}

/** Gives the memory of an array back at once. It is empty afterwards. */
function free(bytes: Uint8Array): void {
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}
