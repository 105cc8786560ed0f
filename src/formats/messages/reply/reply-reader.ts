/** Reads one answer: a stream gives its events one by one, a whole answer its blocks. */
import { startEvent, type ReplyEvent } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import { newId } from "../../../lib/ids.ts";
import {
  asFilledString,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import { blockReader, isCall, type BlockReader } from "./read-block.ts";
import { readStopReason } from "./stop-reason.ts";
import { mergeCounts, readUsage } from "./usage.ts";

/** Reads the parts of one answer. */
export interface ReplyReader {
  /** Whether a block has begun. */
  hasBlocks(): boolean;
  start(message: JsonObject): void;
  openBlock(index: number, block: JsonObject): void;
  delta(index: number, delta: JsonObject): void;
  closeBlock(index: number): void;
  /** Members that tell why the answer stopped. A later delta without a reason keeps the earlier one. */
  stop(delta: JsonObject): void;
  usage(usage: JsonValue | undefined): void;
  end(): void;
  /** Nothing follows, unless the answer has already ended. */
  fail(failure: Failure): void;
  ended(): boolean;
  /** The events since the last call. */
  drain(): ReplyEvent[];
}

/** A reader of one answer. */
export function replyReader(context: ReadContext): ReplyReader {
  let events: ReplyEvent[] = [];
  let ended = false;
  const queries = new Map<string, string>();
  const open = new Map<number, BlockReader>();
  let nextKey = 0;
  let hasCalls = false;
  let counts: JsonObject = {};
  const stop: JsonObject = {};
  const ids = uniqueIds();

  const usage = (raw: JsonValue | undefined): void => {
    if (!isObject(raw)) return;
    counts = mergeCounts(counts, raw);
    const read = readUsage(counts);
    if (Object.keys(read).length > 0) events.push({ kind: "usage", usage: read });
  };
  const closeBlock = (index: number): void => {
    open.get(index)?.close(events);
    open.delete(index);
  };
  return {
    hasBlocks: () => nextKey > 0,
    start(message) {
      const id = asFilledString(message["id"]);
      const model = asFilledString(message["model"]);
      ids.seed(id ?? "");
      events.push(startEvent({ id, model }));
      usage(message["usage"]);
    },
    openBlock(index, block) {
      closeBlock(index);
      const call = isCall(block);
      if (call) hasCalls = true;
      if (runsCode(block))
        events.push({ kind: "usage", usage: { toolUses: { code_execution: 1 } } });
      const unique = call ? { ...block, id: ids.unique(asString(block["id"]) ?? "") } : block;
      open.set(index, blockReader(unique, { key: nextKey++, context, events, queries }));
    },
    delta: (index, delta) => open.get(index)?.delta(delta, events),
    closeBlock,
    stop(delta) {
      for (const key in delta) if (delta[key] !== null) stop[key] = delta[key];
    },
    usage,
    end() {
      ended = true;
      for (const index of open.keys()) closeBlock(index);
      events.push({ kind: "stop", ...readStopReason(stop, hasCalls) }, { kind: "end" });
    },
    fail(failure) {
      if (ended) return;
      ended = true;
      events.push({ kind: "fail", failure });
    },
    ended: () => ended,
    drain() {
      const drained = events;
      events = [];
      return drained;
    },
  };
}

const codeTools: ReadonlySet<unknown> = new Set([
  "code_execution",
  "bash_code_execution",
  "text_editor_code_execution",
]);

/** The use is in no count of the provider's, but its container is charged. */
function runsCode({ type, name }: JsonObject): boolean {
  return type === "server_tool_use" && codeTools.has(name);
}

/** Gives each call an id of its own: a missing or repeated one is made of the answer's id. */
function uniqueIds(): { seed(replyId: string): void; unique(id: string): string } {
  const taken = new Set<string>();
  let stem = "";
  return {
    seed: (replyId) => void (stem = replyId === "" ? "" : shortHash(replyId)),
    unique(id) {
      if (stem === "") stem = newId("");
      const free = id !== "" && !taken.has(id) ? id : `toolu_${stem}_${taken.size}`;
      taken.add(free);
      return free;
    },
  };
}
