/** Writes one answer from its events: as a stream, or as the response object that a stream would end with. */
import type { ReplyEvent, StopReason } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import { addUsage, type Usage } from "../../../core/usage.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { offeredClientTools } from "../shared/client-tools.ts";
import type { BlockWriter } from "./block-writer.ts";
import { blockQueue, type PieceEvent } from "./block-queue.ts";
import { brokenReply, streamError, unsupportedAction } from "./errors.ts";
import { newOutput, type WriteEvent } from "./output.ts";
import { writeStopReason } from "./stop-reason.ts";
import { blockWriter } from "./write-block.ts";

/** Writes the events of one answer. */
export interface ReplyWriter {
  write(events: readonly ReplyEvent[]): void;
  hasBegun(): boolean;
  ended(): boolean;
  /** Why the answer cannot be written in this format at all. */
  unsupported(): Failure | undefined;
  /** The answer so far. */
  response(): JsonObject;
}

/** A writer of one answer. `writeEvent`: missing where only the whole answer is wanted. */
export function replyWriter(echo: ReplyEcho, writeEvent: WriteEvent | undefined): ReplyWriter {
  const output = newOutput(echo, writeEvent);
  const clientTools = offeredClientTools(echo.request);
  let usage: Usage = {};
  let stop: StopReason = "end";
  let ended = false;
  let unsupported: Failure | undefined;
  let block: BlockWriter = {};

  const fail = (failure: Failure): void => {
    ended = true;
    const error = streamError(failure);
    output.finish({ status: "failed", error, ...(Object.keys(usage).length > 0 && { usage }) });
  };
  const finish = (): void => {
    ended = true;
    const written = writeStopReason(stop);
    output.closeMessage(written.status === "incomplete" ? "incomplete" : "completed");
    const error = written.status === "failed" ? streamError(brokenReply()) : undefined;
    output.finish({ ...written, ...(error && { error }), usage });
  };
  const onUnsupported = (type: string): void => {
    unsupported = unsupportedAction(type);
    fail(unsupported);
  };
  const queue = blockQueue({
    onOpen(opened, state) {
      block = blockWriter(opened, { output, clientTools, state, onUnsupported });
    },
    onPiece: (event) => writePiece(block, event),
  });
  const writeOne = (event: ReplyEvent, batch: readonly ReplyEvent[], at: number): void => {
    switch (event.kind) {
      case "start":
        return output.begin(event);
      case "usage":
        usage = addUsage(usage, event.usage);
        return;
      case "stop":
        stop = event.reason;
        return;
      case "fail":
        return fail(event.failure);
      case "end":
        return finish();
      default:
        output.begin({});
        queue.add(event, batch, at);
    }
  };
  return {
    write(events) {
      events.forEach((event, at) => {
        if (!ended) writeOne(event, events, at);
      });
    },
    hasBegun: output.hasBegun,
    ended: () => ended,
    unsupported: () => unsupported,
    response: output.response,
  };
}

function writePiece(block: BlockWriter, event: PieceEvent): void {
  switch (event.kind) {
    case "delta":
      if (event.text !== "") block.delta?.(event.text);
      return;
    case "state":
      return block.state?.(event.state);
    case "cite":
      return block.cite?.(event.citation);
    case "close":
      return block.close?.();
    default:
      event satisfies never;
  }
}
