/** One export over HTTP: encoded, sent, and sent again where the collector asks for that. */
import { readWithin } from "../../lib/bounded-read.ts";
import { byteReader } from "../../lib/bytes.ts";
import { readRetryAfter } from "../../providers/connection/failures.ts";
import type { OtelSettings } from "../../store/otel-settings.ts";
import type { OtlpMessage } from "./messages.ts";
import { exportBytes } from "./protobuf.ts";
import { rejectedIn } from "./rejected.ts";

/** What became of an export. */
export type Exported =
  /** `rejected`: what the collector left out of it. */
  | { readonly kind: "taken"; readonly rejected: number }
  /** `why`: a status, or what there was in place of one. */
  | { readonly kind: "lost"; readonly why: string }
  /** It was not taken in its time, and may be when it is sent again: the collector is down, or asks for that. */
  | { readonly kind: "later"; readonly why: string };

type Tried = Exported | { readonly kind: "retry"; readonly after?: number; readonly why: string };

/** Statuses that ask for another try, by the specification of OTLP. */
const retried: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Milliseconds before the second try; each further pause is twice as long. */
const firstPause = 1000;
/** Longest time that work behind an answer has, less what else it does, in ms. */
const longestExport = 20_000;
/** Bytes of a collector's answer that are read. */
const longestAnswer = 64 * 1024;

/** Sends the message. The setting's time holds for all tries together. Never throws. */
export async function sendExport(
  address: string,
  message: OtlpMessage,
  settings: OtelSettings,
): Promise<Exported> {
  const end = Date.now() + Math.min(settings.timeout, longestExport);
  const body = await encoded(message, settings);
  for (let pause = firstPause; ; pause *= 2) {
    const tried = await trySend(address, { body, end }, settings);
    if (tried.kind !== "retry") return tried;
    // Many isolates that were refused together should not come back together.
    const wait = tried.after ?? pause * (0.5 + Math.random() / 2);
    if (Date.now() + wait >= end) return { kind: "later", why: tried.why };
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function encoded(
  message: OtlpMessage,
  { encoding, gzip }: OtelSettings,
): Promise<Uint8Array> {
  const plain =
    encoding === "json" ? new TextEncoder().encode(JSON.stringify(message)) : exportBytes(message);
  if (!gzip) return plain;
  const packed = new Blob([plain]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

async function trySend(
  address: string,
  { body, end }: { body: Uint8Array; end: number },
  settings: OtelSettings,
): Promise<Tried> {
  const call = new AbortController();
  const timer = setTimeout(() => call.abort(), Math.max(1, end - Date.now()));
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: headersOf(settings),
      body,
      // The headers hold secrets: they go where the operator said, and nowhere else.
      redirect: "manual",
      signal: call.signal,
    });
    return await judge(response, settings);
  } catch {
    // Its message may name the address, which can hold a token.
    return call.signal.aborted
      ? { kind: "later", why: "no answer in time" }
      : { kind: "retry", why: "no connection" };
  } finally {
    clearTimeout(timer);
    call.abort();
  }
}

function headersOf({ headers, encoding, gzip }: OtelSettings): Record<string, string> {
  return {
    "user-agent": "routing-gateway",
    ...headers,
    "content-type": encoding === "json" ? "application/json" : "application/x-protobuf",
    ...(gzip && { "content-encoding": "gzip" }),
  };
}

async function judge(response: Response, { encoding }: OtelSettings): Promise<Tried> {
  const { status, headers, body } = response;
  const why = `status ${status}`;
  if (!response.ok) {
    await body?.cancel();
    if (!retried.has(status)) return { kind: "lost", why };
    const after = readRetryAfter(headers, Date.now());
    return { kind: "retry", why, ...(after !== undefined && { after: after * 1000 }) };
  }
  if (body === null) return { kind: "taken", rejected: 0 };
  return { kind: "taken", rejected: await rejectedOf(body, encoding) };
}

/** The status said that it was taken: an answer that cannot be read asks for no other try, which would count all twice. */
async function rejectedOf(
  body: ReadableStream<Uint8Array>,
  encoding: OtelSettings["encoding"],
): Promise<number> {
  try {
    return rejectedIn(await readWithin(byteReader(body), { cap: longestAnswer }), encoding);
  } catch {
    return 0;
  }
}
