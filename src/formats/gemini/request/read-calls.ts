/** Calls and their results in the history of a Gemini request. Neither needs an id: results then answer by name. */
import type { Block, CallBlock, ResultBlock } from "../../../core/request.ts";
import { invalid } from "../../../core/problem.ts";
import { asFilledString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { newQueue, type Queue } from "../../../lib/lists.ts";
import { readMediaPart } from "./read-media.ts";
import type { Members } from "./read-members.ts";

/** The calls so far, as far as results may still answer them. */
export interface CallHistory {
  /** The id of a call: the client's, or one that no other call of the request has. */
  idOfCall(call: Members): string;
  /** The id of the call that a result answers; a result of no call gets an id of its own. */
  idOfResult(result: Members): string;
}

/** `given`: tells the ids that the client itself uses anywhere in the request. */
export function callHistory(given: () => ReadonlySet<string>): CallHistory {
  const waiting = new Map<string, Queue<string>>();
  const called = new Set<string>();
  const answered = new Set<string>();
  let made = 0;
  let used: ReadonlySet<string> | undefined;
  const newId = (): string => {
    used ??= given();
    let id = `call_${made++}`;
    while (used.has(id)) id = `call_${made++}`;
    return id;
  };
  const takeWaiting = (name: string): string | undefined => {
    const queue = waiting.get(name);
    let id = queue?.take();
    while (id !== undefined && answered.has(id)) id = queue?.take();
    return id;
  };
  return {
    idOfCall(call) {
      const name = nameOf(call);
      const id = asFilledString(call.get("id")) ?? newId();
      const queue = waiting.get(name) ?? newQueue();
      queue.add(id);
      waiting.set(name, queue);
      called.add(id);
      // An id that is used again stands for a new call.
      answered.delete(id);
      return id;
    },
    idOfResult(result) {
      const stated = asFilledString(result.get("id"));
      const isKnown = stated !== undefined && called.has(stated);
      const id = isKnown ? stated : (takeWaiting(nameOf(result)) ?? stated ?? newId());
      answered.add(id);
      return id;
    },
  };
}

function nameOf(part: Members): string {
  return asFilledString(part.get("name")) ?? "";
}

const callMembers = new Set(["id", "name", "args"]);

export function readFunctionCall(call: Members, history: CallHistory): CallBlock {
  call.noteOthers(callMembers);
  const args = call.get("args");
  if (args !== undefined && !isObject(args))
    throw invalid(call.pathOf("args"), "must be an object");
  return {
    kind: "call",
    id: history.idOfCall(call),
    name: needName(call),
    call: "function",
    input: JSON.stringify(args ?? {}),
    object: args ?? {},
  };
}

function needName(part: Members): string {
  const name = asFilledString(part.get("name"));
  if (name === undefined) throw invalid(part.pathOf("name"), "must be a non-empty string");
  return name;
}

const resultMembers = new Set(["id", "name", "response", "parts"]);

/** `path`: the part's own. */
export function readResult(result: Members, path: string, history: CallHistory): ResultBlock {
  result.noteOthers(resultMembers);
  const name = needName(result);
  const { text, isError } = readResponse(result.get("response"), name);
  const media = result.each("parts").flatMap((part) => readMediaPart(part) ?? unknownPart(part));
  return {
    kind: "result",
    id: history.idOfResult(result),
    call: "function",
    blocks: [{ kind: "text", text }, ...media],
    ...(isError && { isError }),
    path,
  };
}

const textMembers = new Set(["text"]);

function unknownPart(part: Members): Block[] {
  part.noteOthers(textMembers);
  const text = part.get("text");
  return typeof text === "string" ? [{ kind: "text", text }] : [];
}

/** Members under which clients put the one thing that a tool returned. */
const wrappers: ReadonlySet<string> = new Set(["output", "result", "content"]);

/** What the tool said, without the object that the format demands around it. */
function readResponse(
  response: JsonValue | undefined,
  name: string,
): { readonly text: string; readonly isError: boolean } {
  if (!isObject(response))
    return { text: response === undefined ? "" : textOf(response), isError: false };
  const { only, value } = onlyMember(response, name);
  if (only === "error") return { text: textOf(value), isError: true };
  if (only !== undefined && wrappers.has(only) && typeof value === "string")
    return { text: value, isError: false };
  // With the tool's name beside it, it is nothing but a wrapper, whatever it holds.
  const named = only === "content" && response["name"] === name;
  return { text: textOf(named ? value : response), isError: false };
}

/** The single member; some clients repeat the tool's name beside it. */
function onlyMember(
  response: JsonObject,
  name: string,
): { readonly only?: string; readonly value?: JsonValue } {
  const names = Object.keys(response).filter(
    (member) => !(member === "name" && response[member] === name),
  );
  const [only] = names;
  const value = only === undefined ? undefined : response[only];
  return names.length === 1 && only !== undefined && value !== undefined ? { only, value } : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
