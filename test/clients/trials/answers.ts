/** What scripted providers answer in trials without tools. */
import { stream, whole, type Received, type Script } from "../../kit/script.ts";
import { endpoints } from "../../kit/wire/index.ts";
import type { WireFormat } from "../../kit/wire/said.ts";
import { inspectors } from "../inspect/index.ts";
import { isObject, type JsonObject } from "../inspect/inspection.ts";

/** Side requests (titles, summaries) offer no tools. */
export function isMainRequest(request: Received, format: WireFormat): boolean {
  const body = bodyOf(request);
  return body !== undefined && inspectors[format](body).tools.length > 0;
}

/** Whether the request asks for a stream. */
export function asksForStream(request: Received, format: WireFormat): boolean {
  if (format === "gemini") return request.path.includes("streamGenerateContent");
  return bodyOf(request)?.["stream"] === true;
}

/** This text, in the form in which the request asks for it. */
export function textAnswer(request: Received, format: WireFormat, text: string): Script {
  const wire = endpoints[format];
  const said = { text };
  if (asksForStream(request, format)) return stream(wire.events(said, "m"), { pace: 1 });
  return whole(wire.whole(said, "m"));
}

/** The same stream with so many milliseconds of silence in its middle; without an end where it is left hanging. */
export function pausedStream(
  format: WireFormat,
  text: string,
  pause: { silence: number } | "hang",
): Script {
  const events = endpoints[format].events({ text }, "m");
  const middle = Math.ceil(events.length / 2);
  const first = events.slice(0, middle).join("");
  if (pause === "hang") return stream([first], { end: "hang" });
  return stream([first, events.slice(middle).join("")], { pace: pause.silence });
}

/** A provider's own words for a prompt that its model has no room for. */
export function overflowAnswer(format: WireFormat): Script {
  return whole(overflows[format], 400);
}

const overflows: Record<WireFormat, object> = {
  chat: {
    error: {
      message:
        "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens. Please reduce the length of the messages.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  },
  responses: {
    error: {
      message:
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
      type: "invalid_request_error",
      param: "input",
      code: "context_length_exceeded",
    },
  },
  messages: {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "prompt is too long: 250000 tokens > 200000 maximum",
    },
  },
  gemini: {
    error: {
      code: 400,
      message:
        "The input token count (250000) exceeds the maximum number of tokens allowed (200000).",
      status: "INVALID_ARGUMENT",
    },
  },
};

function bodyOf(request: Received): JsonObject | undefined {
  if (request.text === "") return undefined;
  const body: unknown = JSON.parse(request.text);
  return isObject(body) ? body : undefined;
}
