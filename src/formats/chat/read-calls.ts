/**
 * Tool calls of a stream. Servers number and name their fragments in every way: this puts each fragment to its call
 * by index, id or neighbourhood, and announces a call once its name is whole.
 */
import { asObject, asString, isObject, parseJson, type JsonObject } from "../../lib/json.ts";
import type { ReadContext } from "../../core/format.ts";
import { freeformReader, type FreeformReader } from "../../translation/freeform.ts";
import type { ReplyEvent } from "../../core/reply.ts";
import { shortHash } from "../../translation/tool-names.ts";
import { argumentText } from "./wire-text.ts";

interface Call {
  index: number | undefined;
  /** The server's id; empty until one came. */
  id: string;
  name: string;
  wire: "function" | "custom";
  /** All arguments so far, as they came. */
  args: string;
  extra: JsonObject | undefined;
  /** Set once it was announced. */
  key: number | undefined;
  freeform: FreeformReader | undefined;
  closed: boolean;
}

interface Fragment {
  index: number | undefined;
  id: string;
  name: string;
  wire: "function" | "custom";
  args: string;
  extra: JsonObject | undefined;
}

export interface CallReader {
  /** One entry of `tool_calls`. `position` is its place in a list that is whole. */
  feed(entry: JsonObject, position?: number): void;
  /** Something else begins: names are whole, and calls whose arguments are complete are closed. */
  settle(): void;
  /** No more fragments come for the calls so far. */
  closeAll(): void;
  /** Whether any call was seen. */
  any(): boolean;
}

export interface CallSink {
  context: ReadContext;
  emit(event: ReplyEvent): void;
  newKey(): number;
  /** Something that tells this answer from others, for the ids of calls that came without. */
  seed(): string;
}

/** The calls of one answer. */
interface Calls {
  sink: CallSink;
  list: Call[];
  /** Ids that the client was given. */
  ids: Set<string>;
}

export function callReader(sink: CallSink): CallReader {
  const calls: Calls = { sink, list: [], ids: new Set() };
  return {
    feed(entry, position) {
      const fragment = readFragment(entry, position);
      add(calls, findCall(calls.list, fragment) ?? start(calls, fragment), fragment);
    },
    settle: () => settle(calls),
    closeAll: () => calls.list.forEach((call) => close(calls, call)),
    any: () => calls.list.length > 0,
  };
}

function start(calls: Calls, fragment: Fragment): Call {
  settle(calls);
  const call: Call = {
    index: fragment.index,
    id: fragment.id,
    wire: fragment.wire,
    name: "",
    args: "",
    extra: undefined,
    key: undefined,
    freeform: undefined,
    closed: false,
  };
  calls.list.push(call);
  return call;
}

function add(calls: Calls, call: Call, fragment: Fragment): void {
  if (call.id === "" && call.key === undefined) call.id = fragment.id;
  if (fragment.name !== "" && (call.args === "" || call.name === ""))
    call.name = joinName(call.name, fragment.name);
  if (fragment.extra) {
    call.extra = fragment.extra;
    if (call.key !== undefined && !call.closed) emitExtra(calls.sink, call.key, fragment.extra);
  }
  if (fragment.args === "" || call.closed) return;
  call.args += fragment.args;
  // Until a name is there, its arguments wait.
  if (call.name === "") return;
  const waiting = call.key === undefined ? call.args : fragment.args;
  const key = announce(calls, call);
  say(calls.sink, key, call.freeform ? call.freeform.feed(waiting) : waiting);
}

function announce(calls: Calls, call: Call): number {
  if (call.key !== undefined) return call.key;
  const { sink } = calls;
  const key = sink.newKey();
  call.key = key;
  const meant = sink.context.names.fromWire(call.name === "" ? "unknown_tool" : call.name);
  const kind = call.wire === "custom" ? "custom" : meant.call;
  if (kind === "custom" && call.wire === "function") call.freeform = freeformReader();
  const { name, namespace } = meant;
  const spaced = namespace === undefined ? {} : { namespace };
  const id = uniqueId(calls, call);
  sink.emit({ kind: "open", key, block: { kind: "call", id, name, ...spaced, call: kind } });
  if (call.extra) emitExtra(sink, key, call.extra);
  return key;
}

function emitExtra(sink: CallSink, key: number, extra: JsonObject): void {
  const data = JSON.stringify(extra);
  const { origin } = sink.context;
  sink.emit({ kind: "state", key, state: { format: "chat", origin, type: "extra_content", data } });
}

function say(sink: CallSink, key: number, text: string): void {
  if (text !== "") sink.emit({ kind: "delta", key, text });
}

function close(calls: Calls, call: Call): void {
  if (call.closed) return;
  call.closed = true;
  if (call.key === undefined && call.name === "" && call.args === "") return;
  const nameless = call.key === undefined && call.name === "";
  const key = announce(calls, call);
  if (nameless) say(calls.sink, key, call.args);
  if (call.freeform) say(calls.sink, key, call.freeform.end());
  else if (call.args === "" && call.wire === "function") say(calls.sink, key, "{}");
  calls.sink.emit({ kind: "close", key });
}

/** Something else began: names are whole, and calls whose arguments are complete are closed. */
function settle(calls: Calls): void {
  for (const call of calls.list) {
    if (call.closed) continue;
    if (call.name !== "") announce(calls, call);
    if (isComplete(call)) close(calls, call);
  }
}

function readFragment(entry: JsonObject, position: number | undefined): Fragment {
  const { index } = entry;
  const made = asObject(entry["function"]);
  const custom = asObject(entry["custom"]);
  const name = asString(made?.["name"]) ?? "";
  // Some servers send an empty `custom` beside every function.
  const isCustom = custom !== undefined && (entry["type"] === "custom" || made === undefined);
  return {
    index: position ?? (typeof index === "number" ? index : undefined),
    id: asString(entry["id"]) ?? "",
    name: isCustom ? (asString(custom["name"]) ?? "") : name,
    wire: isCustom ? "custom" : "function",
    args: isCustom ? (asString(custom["input"]) ?? "") : argumentText(made?.["arguments"]),
    extra: asObject(entry["extra_content"]),
  };
}

/** The call that a fragment goes on with; undefined when it begins one. */
function findCall(calls: readonly Call[], fragment: Fragment): Call | undefined {
  const { id, index } = fragment;
  const known = id === "" ? undefined : calls.findLast((call) => call.id === id);
  if (known) {
    const moved = index !== undefined && known.index !== undefined && index !== known.index;
    return moved && begins(known, fragment) ? undefined : known;
  }
  const neighbour =
    index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
  if (!neighbour) return undefined;
  // An id that was never seen begins a call, unless the call at hand still waits for its own.
  if (id !== "") return neighbour.id === "" && !begins(neighbour, fragment) ? neighbour : undefined;
  return begins(neighbour, fragment) ? undefined : neighbour;
}

/** Whether a fragment that could go on with `call` is the start of another one: it names a tool again, too late. */
function begins(call: Call, fragment: Fragment): boolean {
  if (fragment.name === "" || call.name === "" || call.args === "") return false;
  return call.closed || isComplete(call) || fragment.name !== call.name;
}

/** Whether the arguments are a whole object. An empty one may be a mere beginning. */
function isComplete(call: Call): boolean {
  if (call.wire === "custom" || !call.args.trimEnd().endsWith("}")) return false;
  const value = parseJson(call.args);
  return isObject(value) && Object.keys(value).length > 0;
}

/** Names come whole, in pieces, again and again, or growing. */
function joinName(before: string, next: string): string {
  return next.startsWith(before) ? next : before + next;
}

function uniqueId(calls: Calls, call: Call): string {
  const free = call.id !== "" && !calls.ids.has(call.id);
  const at = calls.list.indexOf(call);
  const id = free ? call.id : `call_${shortHash(`${calls.sink.seed()}\n${call.name}`)}${at}`;
  calls.ids.add(id);
  return id;
}
