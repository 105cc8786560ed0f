/** Neutral events -> a Responses stream or answer. */
import type { EventWriter, ReplyEcho } from "../../core/format.ts";
import { Problem } from "../../core/problem.ts";
import { replay, type Reply, type ReplyEvent, type StopReason } from "../../core/reply.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import type { JsonObject } from "../../lib/json.ts";
import { sseText } from "../../lib/sse.ts";
import { writeFailure } from "./errors.ts";
import { inOrder, type BlockSink, type PieceEvent } from "./in-order.ts";
import { output, type Output, type Say } from "./output.ts";
import { outcomeOf, type Outcome } from "./response-object.ts";
import { offeredClientTools } from "./client-tools.ts";
import { blockWriter, type BlockWriter } from "./write-blocks.ts";

interface Assembler {
  run(events: readonly ReplyEvent[]): void;
  out: Output;
  ended(): boolean;
  /** Why the answer cannot be said at all. */
  refused(): string | undefined;
}

function assembler(echo: ReplyEcho, say: Say | undefined): Assembler {
  const out = output(echo, say);
  const specials = offeredClientTools(echo.request);
  let usage: Usage = {};
  let stop: StopReason = "end";
  let over = false;
  let refused: string | undefined;
  let writer: BlockWriter = {};

  const fail = (error: { code: string; message: string }): void => {
    over = true;
    out.end({ status: "failed", error, ...(Object.keys(usage).length > 0 && { usage }) });
  };
  const end = (outcome: Outcome): void => {
    over = true;
    out.closeMessage(outcome.status === "incomplete" ? "incomplete" : "completed");
    out.end(outcome);
  };
  const refuse = (type: string): void => {
    refused = `the model asked for an action (${type}) that this format cannot express`;
    fail({ code: "server_error", message: refused });
  };

  const sink: BlockSink = {
    open(block, state) {
      writer = blockWriter(block, out, { specials, state, refuse });
    },
    piece: (event) => feed(writer, event),
  };
  const order = inOrder(sink);

  const one = (event: ReplyEvent, batch: readonly ReplyEvent[], at: number): void => {
    switch (event.kind) {
      case "start":
        return out.begin(event);
      case "usage":
        usage = addUsage(usage, event.usage);
        return;
      case "stop":
        stop = event.reason;
        return;
      case "fail":
        return fail(writeFailure(event.failure));
      case "end":
        return end(outcomeOf(stop, usage));
      default:
        out.begin({});
        order.take(event, batch, at);
    }
  };

  return {
    out,
    ended: () => over,
    refused: () => refused,
    run(events) {
      events.forEach((event, at) => {
        if (!over) one(event, events, at);
      });
    },
  };
}

function feed(writer: BlockWriter, event: PieceEvent): void {
  switch (event.kind) {
    case "delta":
      if (event.text !== "") writer.delta?.(event.text);
      return;
    case "state":
      return writer.state?.(event.state);
    case "cite":
      return writer.cite?.(event.citation);
    case "close":
      return writer.close?.();
    default:
      event satisfies never;
  }
}

/** The stream as the dialect's grammar has it: numbered events, one item open at a time. */
export function eventWriter(echo: ReplyEcho): EventWriter {
  let sequence = 0;
  let text = "";
  const say: Say = (type, members) => {
    text += sseText(type, `{"type":"${type}","sequence_number":${sequence++},${members}}`);
  };
  const assembly = assembler(echo, say);
  return {
    write(events) {
      assembly.run(events);
      const written = text;
      text = "";
      return written;
    },
    keepAlive() {
      if (!assembly.out.begun() || assembly.ended()) return "";
      return sseText("keepalive", `{"type":"keepalive","sequence_number":${sequence++}}`);
    },
  };
}

/** The whole answer. Throws where saying it without one of its parts would be another answer. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const assembly = assembler(echo, undefined);
  assembly.run(replay(reply));
  const refused = assembly.refused();
  if (refused !== undefined) throw new Problem("M500", refused, { status: 502 });
  return assembly.out.response();
}
