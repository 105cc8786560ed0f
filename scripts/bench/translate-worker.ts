/** The translation bench's inside: runs in workerd, told by requests what to measure. */
import { noNames } from "../../src/translation/tool-names.ts";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { exactly } from "../../src/lib/exact.ts";
import { isObject, parseJson } from "../../src/lib/json.ts";
import { echo, requestText, streamPieces, target } from "./translate-samples.ts";

export interface Job {
  /** request: a body, text to text. stream: bytes to bytes. pump: the same through a pipe of the runtime. */
  kind: "request" | "stream" | "pump";
  client: ClientFormatName;
  provider: FormatName;
  /** Nothing is translated: the plain relay of the same bytes. */
  relay: boolean;
  rounds: number;
}

export interface Outcome {
  /** Milliseconds for all rounds. */
  ms: number;
  /** Of one round: characters of the body, or events of the stream. */
  size: number;
}

/** The runtime's clock only moves with input and output. */
async function clock(): Promise<number> {
  await scheduler.wait(0);
  return performance.now();
}

async function measure(rounds: number, round: () => void | Promise<void>): Promise<number> {
  const start = await clock();
  for (let n = 0; n < rounds; n++) await round();
  return (await clock()) - start;
}

/** Keeps results alive, so that nothing is optimised away. */
let sink = 0;

async function requests({ client, provider, relay, rounds }: Job): Promise<Outcome> {
  const text = requestText(client);
  const ms = await measure(rounds, () => {
    const parsed = parseJson(text);
    if (!isObject(parsed)) throw new Error("the sample is no object");
    const body = exactly(parsed, text);
    const out = relay
      ? { ...body, model: "m" }
      : providerFormats[provider].writeRequest(
          clientFormats[client].readRequest(body),
          target(provider),
        ).body;
    sink += JSON.stringify(out).length;
  });
  return { ms, size: new TextEncoder().encode(text).length };
}

type Step = (piece: Uint8Array | undefined) => Uint8Array | undefined;

/** One answer's translator as the gateway drives it: bytes in, bytes out; undefined ends it. */
function translator({ client, provider, relay }: Job): Step {
  if (relay) return (piece) => piece;
  const reader = providerFormats[provider].eventReader({ origin: "bench", names: noNames });
  const writer = clientFormats[client].eventWriter(echo());
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return (piece) => {
    const events = piece ? reader.feed(decoder.decode(piece, { stream: true })) : reader.end();
    const text = events.length === 0 ? "" : writer.write(events);
    return text === "" ? undefined : encoder.encode(text);
  };
}

async function streams(job: Job): Promise<Outcome> {
  const pieces = streamPieces(job.provider);
  const ms = await measure(job.rounds, () => {
    const step = translator(job);
    for (const piece of pieces) sink += step(piece)?.length ?? 0;
    sink += step(undefined)?.length ?? 0;
  });
  return { ms, size: pieces.length };
}

async function pumps(job: Job): Promise<Outcome> {
  const pieces = streamPieces(job.provider);
  const ms = await measure(job.rounds, async () => {
    const step = translator(job);
    const { readable, writable } = new IdentityTransformStream();
    const drained = new Response(readable).arrayBuffer();
    const writer = writable.getWriter();
    for (const piece of [...pieces, undefined]) {
      const out = step(piece);
      if (out) await writer.write(out);
    }
    await writer.close();
    sink += (await drained).byteLength;
  });
  return { ms, size: pieces.length };
}

const measures: Record<Job["kind"], (job: Job) => Promise<Outcome>> = {
  request: requests,
  stream: streams,
  pump: pumps,
};

export default {
  async fetch(request: Request): Promise<Response> {
    // The driver beside this file is the only caller.
    const job = (await request.json()) as Job;
    return Response.json(await measures[job.kind](job));
  },
};
