/** The built-in provider: answers in process, in every format that clients speak, at a human pace. */
import type { ClientFormat, ReplyEcho } from "../../core/format.ts";
import type { ReplyEvent } from "../../core/events.ts";
import { collect } from "../../core/reply.ts";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json.ts";
import { scriptFor, type Script } from "./script.ts";

export interface DemoCall {
  format: ClientFormat;
  /** A request body of that format. */
  body: JsonObject;
  /** `echo` or `tools`. */
  model: string;
  signal: AbortSignal;
  /** Milliseconds between words. */
  pace?: number;
}

const humanPace = 30;

/** What a provider of this format would have answered, as a web response. */
export function answerDemo(call: DemoCall): Response {
  const { format, body, model, pace = humanPace } = call;
  const request = format.readRequest(body);
  const script = scriptFor(request, model);
  const echo: ReplyEcho = {
    model,
    wantsUsage: request.wantsUsage,
    newId,
    now: Math.floor(Date.now() / 1000),
    request: body,
    ...(script.usage.input !== undefined && { estimatedInput: script.usage.input }),
  };
  if (request.stream) return streamed(call, pieces(format, script, echo), pace);
  const reply = collect(eventsOf(script, echo).flat());
  if ("failure" in reply) throw new Error(reply.failure.message);
  return Response.json(format.writeReply(reply, echo));
}

/** All events of the answer, step by step. */
function eventsOf(script: Script, echo: ReplyEcho): ReplyEvent[][] {
  return [
    [{ kind: "start", model: echo.model, created: echo.now }],
    ...script.steps,
    [
      { kind: "usage", usage: script.usage },
      { kind: "stop", reason: script.stop },
      { kind: "end" },
    ],
  ];
}

function* pieces(format: ClientFormat, script: Script, echo: ReplyEcho): Generator<string> {
  const writer = format.eventWriter(echo);
  for (const step of eventsOf(script, echo)) {
    const text = writer.write(step);
    if (text !== "") yield text;
  }
}

function streamed({ signal }: DemoCall, texts: Generator<string>, pace: number): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      await pause(pace, signal);
      if (signal.aborted) {
        controller.error(new Error("The call was ended."));
        return;
      }
      const next = texts.next();
      if (next.done === true) {
        controller.close();
        // A waiting reader of the bring-your-own-buffer kind is answered only by this.
        controller.byobRequest?.respond(0);
        return;
      }
      controller.enqueue(encoder.encode(next.value));
    },
    cancel() {
      texts.return(undefined);
    },
  });
  return new Response(stream, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
