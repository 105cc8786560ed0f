/**
 * Reads the tool calls of an answer. Servers number and name the fragments of a call in different ways: each fragment
 * is matched to its call by index, id or position, and a call opens once its name is complete.
 */
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { mostBlocks, tooManyBlocks, type ReplyEvent } from "../../../core/events.ts";
import type { ReadContext } from "../../../core/format.ts";
import { freeformReader, type FreeformReader } from "../../../translation/freeform.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import { argumentText } from "../shared/member-text.ts";
import { completion, type Completion } from "./completion.ts";

/** Reads the calls of one answer. */
export interface CallReader {
  /** One entry of `tool_calls`. `position` is its place in a list that is complete. Throws RangeError over `mostBlocks` calls. */
  feed(entry: JsonObject, position?: number): void;
  /** Another block begins: names are complete, and calls whose arguments are complete are closed. */
  closeComplete(): void;
  /** No more fragments come for the calls so far. */
  closeAll(): void;
  /** Whether any call was seen. */
  any(): boolean;
}

/** What the reader needs of the answer that the calls belong to. */
export interface CallReaderOptions {
  context: ReadContext;
  emit(event: ReplyEvent): void;
  newKey(): number;
  /** Tells this answer from others; ids of calls that came without one are made of it. */
  seed(): string;
}

interface Call {
  /** Its place among the calls of the answer. */
  readonly at: number;
  index: number | undefined;
  /** The server's id; empty until one came. */
  id: string;
  name: string;
  type: "function" | "custom";
  /** Arguments that wait for the call's name. */
  unsent: string;
  /** Arguments have come. */
  begun: boolean;
  readonly completion: Completion;
  extra: JsonObject | undefined;
  /** Set once the call's block is open. */
  key: number | undefined;
  freeform: FreeformReader | undefined;
  closed: boolean;
}

type Fragment = Pick<Call, "index" | "id" | "name" | "type" | "extra"> & { readonly args: string };

/** The calls of one answer. */
interface Calls {
  options: CallReaderOptions;
  list: Call[];
  /** The last call with an id or index. */
  byId: Map<string, Call>;
  byIndex: Map<number, Call>;
  /** Calls that grew since it was last seen which of them are complete. */
  grown: Set<Call>;
  /** Ids that the client was given. */
  ids: Set<string>;
}

/** A reader of the calls of one answer. */
export function callReader(options: CallReaderOptions): CallReader {
  const calls: Calls = {
    options,
    list: [],
    byId: new Map(),
    byIndex: new Map(),
    grown: new Set(),
    ids: new Set(),
  };
  return {
    feed(entry, position) {
      const fragment = readFragment(entry, position);
      addFragment(calls, findCall(calls, fragment) ?? newCall(calls, fragment), fragment);
    },
    closeComplete: () => closeComplete(calls),
    closeAll: () => calls.list.forEach((call) => close(calls, call)),
    any: () => calls.list.length > 0,
  };
}

function newCall(calls: Calls, { index, id, type }: Fragment): Call {
  if (calls.list.length === mostBlocks) throw new RangeError(tooManyBlocks);
  closeComplete(calls);
  const call: Call = {
    at: calls.list.length,
    index,
    id: "",
    type,
    name: "",
    unsent: "",
    begun: false,
    completion: completion(),
    extra: undefined,
    key: undefined,
    freeform: undefined,
    closed: false,
  };
  calls.list.push(call);
  if (index !== undefined) calls.byIndex.set(index, call);
  setId(calls, call, id);
  return call;
}

function setId({ byId }: Calls, call: Call, id: string): void {
  call.id = id;
  if (id !== "" && (byId.get(id)?.at ?? -1) < call.at) byId.set(id, call);
}

function addFragment(calls: Calls, call: Call, fragment: Fragment): void {
  calls.grown.add(call);
  if (call.id === "" && call.key === undefined) setId(calls, call, fragment.id);
  if (fragment.name !== "" && (!call.begun || call.name === ""))
    call.name = joinName(call.name, fragment.name);
  if (fragment.extra) {
    call.extra = fragment.extra;
    if (call.key !== undefined && !call.closed) emitState(calls.options, call.key, fragment.extra);
  }
  if (fragment.args === "" || call.closed) return;
  call.begun = true;
  call.unsent += fragment.args;
  call.completion.feed(fragment.args);
  if (call.name !== "") sendArguments(calls, call, open(calls, call));
}

function sendArguments({ options }: Calls, call: Call, key: number): void {
  const { unsent, freeform } = call;
  call.unsent = "";
  if (unsent !== "") emitInput(options, key, freeform ? freeform.feed(unsent) : unsent);
}

/** Opens the call's block unless it is open; gives its key. */
function open(calls: Calls, call: Call): number {
  if (call.key !== undefined) return call.key;
  const { options } = calls;
  const key = options.newKey();
  call.key = key;
  const tool = options.context.names.fromWire(call.name === "" ? "unknown_tool" : call.name);
  const kind = call.type === "custom" ? "custom" : tool.call;
  if (kind === "custom" && call.type === "function") call.freeform = freeformReader();
  const { name, namespace } = tool;
  options.emit({
    kind: "open",
    key,
    block: {
      kind: "call",
      id: uniqueId(calls, call),
      name,
      ...(namespace !== undefined && { namespace }),
      call: kind,
    },
  });
  if (call.extra) emitState(options, key, call.extra);
  return key;
}

function emitState({ context, emit }: CallReaderOptions, key: number, extra: JsonObject): void {
  const data = JSON.stringify(extra);
  const { origin } = context;
  emit({ kind: "state", key, state: { format: "chat", origin, type: "extra_content", data } });
}

function emitInput({ emit }: CallReaderOptions, key: number, text: string): void {
  if (text !== "") emit({ kind: "delta", key, text });
}

function close(calls: Calls, call: Call): void {
  if (call.closed) return;
  call.closed = true;
  if (call.key === undefined && call.name === "" && !call.begun) return;
  const key = open(calls, call);
  sendArguments(calls, call, key);
  if (call.freeform) emitInput(calls.options, key, call.freeform.end());
  else if (!call.begun && call.type === "function") emitInput(calls.options, key, "{}");
  calls.options.emit({ kind: "close", key });
}

function closeComplete(calls: Calls): void {
  if (calls.grown.size === 0) return;
  const grown = [...calls.grown].toSorted((one, other) => one.at - other.at);
  calls.grown.clear();
  for (const call of grown) {
    if (call.closed) continue;
    if (call.name !== "") open(calls, call);
    if (isComplete(call)) close(calls, call);
  }
}

function readFragment(entry: JsonObject, position: number | undefined): Fragment {
  const { index } = entry;
  const called = asObject(entry["function"]);
  const custom = asObject(entry["custom"]);
  // Some servers send an empty `custom` beside every function.
  const isCustom = custom !== undefined && (entry["type"] === "custom" || called === undefined);
  return {
    index: position ?? (typeof index === "number" ? index : undefined),
    id: asString(entry["id"]) ?? "",
    name: asString((isCustom ? custom : called)?.["name"]) ?? "",
    type: isCustom ? "custom" : "function",
    args: isCustom ? (asString(custom["input"]) ?? "") : argumentText(called?.["arguments"]),
    extra: asObject(entry["extra_content"]),
  };
}

/** The call that a fragment continues; undefined when it begins one. */
function findCall({ list, byId, byIndex }: Calls, fragment: Fragment): Call | undefined {
  const { id, index } = fragment;
  const known = id === "" ? undefined : byId.get(id);
  if (known) {
    const moved = index !== undefined && known.index !== undefined && index !== known.index;
    return moved && beginsAnother(known, fragment) ? undefined : known;
  }
  const candidate = index === undefined ? list.at(-1) : byIndex.get(index);
  if (!candidate || beginsAnother(candidate, fragment)) return undefined;
  // A new id begins a call, unless the candidate still waits for its id.
  return id === "" || candidate.id === "" ? candidate : undefined;
}

/** Whether a fragment that could continue `call` begins another one: it has a name, which comes too late for this one. */
function beginsAnother(call: Call, fragment: Fragment): boolean {
  if (fragment.name === "" || call.name === "" || !call.begun) return false;
  return call.closed || isComplete(call) || fragment.name !== call.name;
}

function isComplete(call: Call): boolean {
  return call.type === "function" && call.completion.isComplete();
}

/** Names come whole, in pieces, repeated, or growing. */
function joinName(before: string, next: string): string {
  return next.length >= before.length && next.startsWith(before) ? next : before + next;
}

function uniqueId(calls: Calls, call: Call): string {
  const isFree = call.id !== "" && !calls.ids.has(call.id);
  const hash = (): string => shortHash(`${calls.options.seed()}\n${call.name}`);
  const id = isFree ? call.id : `call_${hash()}${call.at}`;
  calls.ids.add(id);
  return id;
}
