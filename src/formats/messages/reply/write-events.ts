/** Neutral events as a Messages stream: one block open at a time, indices that only grow. */
import type { JsonObject } from "../../../lib/json.ts";
import { sseText } from "../../../lib/sse.ts";
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import type { Reply } from "../../../core/reply.ts";
import { addUsage, type Usage } from "../../../core/usage.ts";
import { streamError } from "./errors.ts";
import { brokenAnswer, messageHead, unsayable } from "./write-members.ts";
import { writeStop } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import type { BlockSink } from "./write-block.ts";
import { blockWriter } from "./block-queue.ts";

const ping = sseText("ping", '{"type":"ping"}');

export function eventWriter(echo: ReplyEcho): EventWriter {
  let text = "";
  let head: Extract<ReplyEvent, { kind: "start" }> = { kind: "start" };
  let begun = false;
  let over = false;
  let usage: Usage = {};
  let stop: Reply["stop"] = { reason: "end" };

  const sink: BlockSink = {
    write(type, json) {
      begin();
      text += sseText(type, json);
    },
  };
  const blocks = blockWriter(sink, echo);

  /** Held until there is something to say, so that early counts can be told in it. */
  const begin = (): void => {
    if (begun) return;
    begun = true;
    const counts = { input: echo.estimatedInput ?? 0, ...usage, output: 0 };
    const message = { ...messageHead(head, echo), stop_reason: null, stop_sequence: null };
    text += eventText({
      type: "message_start",
      message: { ...message, usage: writeUsage(counts) },
    });
  };
  const fail = (failure: Failure): void => {
    over = true;
    text += eventText({ type: "error", error: streamError(failure) });
  };
  const finish = (): void => {
    blocks.finish();
    begin();
    const reason = writeStop(stop, blocks.spoken);
    if (!reason) return fail(brokenAnswer(stop));
    over = true;
    text += eventText({ type: "message_delta", delta: reason, usage: writeUsage(usage) });
    text += eventText({ type: "message_stop" });
  };
  const take = (next: ReplyEvent, after: ReplyEvent | undefined): void => {
    switch (next.kind) {
      case "start":
        head = next;
        return;
      case "usage":
        usage = addUsage(usage, next.usage);
        return;
      case "stop":
        stop = next;
        return;
      case "fail":
        return fail(next.failure);
      case "end":
        return finish();
      case "open":
        if (next.block.kind === "opaque" && next.block.action)
          return fail(unsayable(next.block.type));
        return blocks.open(next, after);
      case "delta":
      case "state":
      case "cite":
      case "close":
        return blocks.take(next);
      default:
        next satisfies never;
    }
  };
  return {
    write(events) {
      events.forEach((next, at) => {
        if (!over) take(next, events[at + 1]);
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
