/**
 * An answer in this dialect, whole or streamed, as neutral events. One assembly serves both: a whole answer is
 * fed block by block, a stream event by event.
 */
import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { ReadContext } from "../../../core/format.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import { newId } from "../../../lib/ids.ts";
import { statedFailure, strangeBody } from "./errors.ts";
import { isCall, openBlock, type BlockReader } from "./read-block.ts";
import { readStop } from "./stop-reason.ts";
import { mergeUsage, readUsage } from "./usage.ts";

/** Collects the events of one answer. */
export interface ReplyAssembly {
  /** Whether a block has begun. */
  begun(): boolean;
  start(message: JsonObject): void;
  openBlock(index: number, block: JsonObject): void;
  delta(index: number, delta: JsonObject): void;
  closeBlock(index: number): void;
  /** A later delta without a reason does not erase the one that came. */
  stopped(delta: JsonObject): void;
  counted(usage: JsonValue | undefined): void;
  end(): void;
  fail(failure: Failure): void;
  /** The events since the last time. */
  take(): ReplyEvent[];
}

export function replyAssembly(context: ReadContext): ReplyAssembly {
  let events: ReplyEvent[] = [];
  const open = new Map<number, BlockReader>();
  let nextKey = 0;
  let calls = false;
  let usage: JsonObject = {};
  const stop: JsonObject = {};
  const ids = callIds();

  const counted = (raw: JsonValue | undefined): void => {
    if (!isObject(raw)) return;
    usage = mergeUsage(usage, raw);
    const counts = readUsage(usage);
    if (Object.keys(counts).length > 0) events.push({ kind: "usage", usage: counts });
  };
  const closeBlock = (index: number): void => {
    open.get(index)?.close(events);
    open.delete(index);
  };
  return {
    begun: () => nextKey > 0,
    start(message) {
      const id = asString(message["id"]);
      ids.seed(id ?? "");
      const model = asString(message["model"]);
      events.push({
        kind: "start",
        ...(id !== undefined && id !== "" && { id }),
        ...(model !== undefined && model !== "" && { model }),
      });
      counted(message["usage"]);
    },
    openBlock(index, block) {
      closeBlock(index);
      const call = isCall(block);
      if (call) calls = true;
      const known = call ? { ...block, id: ids.unique(asString(block["id"]) ?? "") } : block;
      open.set(index, openBlock(known, { key: nextKey++, context, events }));
    },
    delta: (index, delta) => open.get(index)?.delta(delta, events),
    closeBlock,
    stopped(delta) {
      for (const key in delta) if (delta[key] !== null) stop[key] = delta[key];
    },
    counted,
    end() {
      for (const index of open.keys()) closeBlock(index);
      events.push({ kind: "stop", ...readStop(stop, calls) }, { kind: "end" });
    },
    fail: (failure) => void events.push({ kind: "fail", failure }),
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

/** Ids of calls, each once: what the provider leaves out is made of the answer's own id. */
function callIds(): { seed(id: string): void; unique(id: string): string } {
  const taken = new Set<string>();
  let stem = "";
  return {
    seed: (id) => void (stem = id === "" ? "" : shortHash(id)),
    unique(id) {
      if (stem === "") stem = newId("");
      const free = id !== "" && !taken.has(id) ? id : `toolu_${stem}_${taken.size}`;
      taken.add(free);
      return free;
    },
  };
}

/** A whole answer as the events that a stream of it would give. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  if (!isObject(body)) return [{ kind: "fail", failure: strangeBody() }];
  if (isError(body)) return [{ kind: "fail", failure: statedFailure(body) }];
  if (!Array.isArray(body["content"])) return [{ kind: "fail", failure: strangeBody() }];
  const reply = replyAssembly(context);
  reply.start({ ...body, usage: null });
  asArray(body["content"]).forEach((block, index) => {
    if (!isObject(block)) return;
    reply.openBlock(index, block);
    reply.closeBlock(index);
  });
  reply.counted(body["usage"]);
  const { stop_reason, stop_sequence, stop_details } = body;
  reply.stopped({
    ...(stop_reason !== undefined && { stop_reason }),
    ...(stop_sequence !== undefined && { stop_sequence }),
    ...(stop_details !== undefined && { stop_details }),
  });
  reply.end();
  return reply.take();
}

/** Servers beside Anthropic's leave out the type, and some have no more than words. */
export function isError(body: JsonObject): boolean {
  const { type, error, content } = body;
  if (type === "error") return true;
  return content === undefined && (isObject(error) || typeof error === "string");
}

/** The number of a block in an event; servers that leave it out mean the first. */
export function blockIndex(event: JsonObject): number {
  return asNumber(event["index"]) ?? 0;
}
