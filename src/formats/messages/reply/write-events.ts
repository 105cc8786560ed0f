/** Writes an answer as the stream that a Messages client reads: one block open at a time, indices that only grow. */
import type { ReplyEvent, Stop } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import { addUsage, type Usage } from "../../../core/usage.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { sseText } from "../../../lib/sse.ts";
import { blockQueue } from "./block-queue.ts";
import { brokenReply, streamError, unsupportedAction } from "./errors.ts";
import { writeSafeguards } from "./safeguard-results.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { messageHead } from "./write-members.ts";

const ping = sseText("ping", '{"type":"ping"}');

/** Neutral events in, stream text out. */
export function eventWriter(echo: ReplyEcho): EventWriter {
  let text = "";
  let start: Extract<ReplyEvent, { kind: "start" }> = { kind: "start" };
  let hasBegun = false;
  let ended = false;
  let usage: Usage = {};
  let stop: Stop = { reason: "end" };

  /** The first event is written with the first block, so that it can hold counts that come early. */
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    const counts = { input: echo.estimatedInput ?? 0, ...usage, output: 0 };
    const message = { ...messageHead(start, echo), stop_reason: null, stop_sequence: null };
    text += eventText({
      type: "message_start",
      message: { ...message, usage: writeUsage(counts) },
    });
  };
  const blocks = blockQueue((type, json) => {
    begin();
    text += sseText(type, json);
  }, echo);

  const fail = (failure: Failure): void => {
    ended = true;
    text += eventText({ type: "error", error: streamError(failure, echo.relayed === true) });
  };
  const finish = (): void => {
    blocks.finish();
    begin();
    const delta = writeStopReason(stop, blocks.kinds);
    if (!delta) return fail(brokenReply(stop));
    ended = true;
    const judged = writeSafeguards(stop.safeguards, blocks.callIds);
    text += eventText({
      type: "message_delta",
      delta: { ...delta, ...judged },
      usage: writeUsage(usage),
    });
    text += eventText({ type: "message_stop" });
  };
  const writeEvent = (event: ReplyEvent, next: ReplyEvent | undefined): void => {
    switch (event.kind) {
      case "start":
        start = event;
        return;
      case "usage":
        usage = addUsage(usage, event.usage);
        return;
      case "stop":
        stop = event;
        return;
      case "fail":
        return fail(event.failure);
      case "end":
        return finish();
      case "open":
        if (event.block.kind === "opaque" && event.block.action)
          return fail(unsupportedAction(event.block.type));
        return blocks.open(event, next);
      case "delta":
      case "state":
      case "cite":
      case "close":
        return blocks.add(event);
      default:
        event satisfies never;
    }
  };
  return {
    write(events) {
      events.forEach((event, at) => {
        if (!ended) writeEvent(event, events[at + 1]);
      });
      const written = text;
      text = "";
      return written;
    },
    keepAlive: () => ping,
  };
}

function eventText(value: JsonObject): string {
  return sseText(String(value["type"]), JSON.stringify(value));
}
