/** The request body: read under a cap, decoded strictly, parsed once. */
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { readWithin, TooLong } from "../../lib/bounded-read.ts";
import { byteReader, type ByteReader } from "../../lib/bytes.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import { inflated, NotCompressed, type Compression } from "../../lib/inflate.ts";
import { jsonSize, type JsonBounds, type JsonSize } from "../../lib/json-size.ts";
import {
  deepestJson,
  isObject,
  isTooDeep,
  parseShallowJson,
  type JsonObject,
} from "../../lib/json.ts";
import type { RequestTimer } from "../../lib/request-timer.ts";
import { inTime, timedReader, TooSlow, type Patience } from "../../lib/timed-read.ts";
import { departed } from "../../workspace/rules/sums/logged-outcome.ts";
import { readAway } from "./unread-body.ts";

/** Decompressed bytes. */
const bodyCap = 32 * 1024 * 1024;
/** How long the caller of a good key may take to send its body. */
const bodyPatience: Patience = { idle: 30_000, total: 120_000 };
/**
 * What a body holds at most. The most items are those of embeddings, 300,000 tokens as numbers. Five thousand calls with
 * their results and hundreds of tools have 150,000 objects and members, and a schema has hundreds of members.
 */
const largest: JsonBounds = {
  depth: deepestJson,
  values: 1_000_000,
  names: 200_000,
  members: 10_000,
};
/** A body that says it is no longer is read in one go. */
const smallBody = 64 * 1024;
/** Characters up to which only the depth is looked at: counting values costs as much as parsing, and they take 5 MB at most. */
const uncounted = 128 * 1024;

/** Characters from which each step of a request takes long enough for others to be served between two. */
const largeText = 512 * 1024;

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
 * M300 for what is no object, for one that is nested too deep or has too many members, and for too many values (413), and
 * what `holds` throws. Nothing is parsed before its size is known: the parser takes a minute for millions of levels.
 */
export function parseBody(text: string, holds: (values: number) => void): JsonObject {
  if (text.length > uncounted) holds(checkSize(text));
  else if (isTooDeep(text)) checkSize(text);
  const value = parseShallowJson(text);
  if (isObject(value)) return value;
  throw new Problem(
    problemCodes.invalidRequest,
    value === undefined ? "body: not valid JSON" : "body: must be a JSON object",
  );
}

/** Whether others are to be served between the steps of the request with this body. */
export function isLarge(characters: number): boolean {
  return characters >= largeText;
}

/** How many values the text holds. Throws M300 that names the member and the bound where something is too much. */
function checkSize(text: string): number {
  const { values, over } = jsonSize(text, largest);
  if (over !== undefined) throw tooLarge(over);
  return values;
}

function tooLarge({ bound, member = "body" }: NonNullable<JsonSize["over"]>): Problem {
  const most = largest[bound].toLocaleString("en-US");
  switch (bound) {
    case "depth":
      return invalid(member, `nested deeper than ${most} levels`);
    case "names":
      return invalid(member, `more than ${most} JSON objects and members`);
    case "members":
      return invalid(member, `an object of more than ${most} members`);
    case "values": {
      const message = `body: holds more than ${most} JSON values`;
      return new Problem(problemCodes.invalidRequest, message, { status: 413 });
    }
    default:
      return bound satisfies never;
  }
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
