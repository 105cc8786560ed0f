/**
 * Neutral events -> a Responses stream or answer. One assembler serves both: the stream says every step, the
 * whole answer only keeps the items.
 */
import type { EventWriter, ReplyEcho } from "../../core/format.ts";
import type { Failure } from "../../core/failure.ts";
import {
  replay,
  type OpenBlock,
  type Reply,
  type ReplyEvent,
  type StopReason,
} from "../../core/reply.ts";
import type { Citation, OpaqueState } from "../../core/turn.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import { sseText } from "../../lib/sse.ts";
import type { JsonObject } from "../../lib/json.ts";
import { writeAnnotation } from "./citations.ts";
import { writeFailure } from "./errors.ts";
import {
  echoMembers,
  identity,
  outcomeOf,
  progressMembers,
  type Identity,
  type Outcome,
} from "./response-object.ts";
import { offeredSpecials, specialItem } from "./special.ts";
import {
  callItem,
  hostedItem,
  imageItem,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
  type CallHead,
  type ItemStatus,
} from "./write-items.ts";

/** A message stays open over neighbouring text blocks: each is a part of it. */
interface OpenMessage {
  kind: "message";
  id: string;
  phase: string | undefined;
  parts: JsonObject[];
}

/** The block that is being written; others wait. */
type Current =
  | {
      kind: "text";
      key: number;
      phase: string | undefined;
      opened: boolean;
      text: string;
      annotations: JsonObject[];
    }
  | { kind: "refusal"; key: number; opened: boolean; text: string }
  | {
      kind: "thinking";
      key: number;
      id: string;
      opened: boolean;
      text: string;
      state?: OpaqueState;
    }
  | { kind: "call"; key: number; id: string; head: CallHead; input: string; special?: string }
  | { kind: "silent"; key: number };

interface Assembler {
  run(events: readonly ReplyEvent[]): void;
  /** The whole answer as it stands. */
  response(): JsonObject;
  started(): boolean;
  ended(): boolean;
}

/** Says one event: its type and the JSON text of its own members. */
type Say = (type: string, members: string) => void;

function assembler(echo: ReplyEcho, say: Say | undefined): Assembler {
  const specials = offeredSpecials(echo.request);
  const items: JsonObject[] = [];
  const texts: string[] = [];
  const waiting = new Map<number, ReplyEvent[]>();
  let echoed: string | undefined;
  let me: Identity | undefined;
  let message: OpenMessage | undefined;
  let current: Current | undefined;
  let usage: Usage = {};
  let stop: StopReason = "end";
  let outcome: Outcome = { status: "in_progress" };
  let over = false;

  const index = (): number => items.length;
  const json = JSON.stringify;

  const responseText = (id: Identity): string => {
    echoed ??= json(echoMembers(echo.request)).slice(1);
    const head = json(progressMembers(id, outcome, echo)).slice(0, -1);
    return `"response":${head},"output":[${texts.join(",")}],${echoed}`;
  };

  const begin = (start: { id?: string; created?: number }): Identity => {
    if (me) return me;
    const id = identity(start, echo);
    me = id;
    if (say) {
      const response = responseText(id);
      say("response.created", response);
      say("response.in_progress", response);
    }
    return id;
  };

  const added = (item: JsonObject): void => {
    say?.("response.output_item.added", `"output_index":${index()},"item":${json(item)}`);
  };

  const done = (item: JsonObject): void => {
    if (say) {
      const text = json(item);
      say("response.output_item.done", `"output_index":${index()},"item":${text}`);
      texts.push(text);
    }
    items.push(item);
  };

  const place = (id: string, content?: number): string =>
    `"item_id":"${id}","output_index":${index()}` +
    (content === undefined ? "" : `,"content_index":${content}`);

  const closeMessage = (status: ItemStatus = "completed"): void => {
    if (!message) return;
    const { id, parts, phase } = message;
    done(messageItem(id, parts, { status, ...(phase !== undefined && { phase }) }));
    message = undefined;
  };

  const openMessage = (phase: string | undefined): OpenMessage => {
    if (message && message.phase === phase) return message;
    closeMessage();
    const id = echo.newId("msg_");
    message = { kind: "message", id, phase, parts: [] };
    added(messageItem(id, [], { status: "in_progress", ...(phase !== undefined && { phase }) }));
    return message;
  };

  const openPart = (part: Extract<Current, { kind: "text" | "refusal" }>): OpenMessage => {
    if (part.opened && message) return message;
    part.opened = true;
    const owner = openMessage(part.kind === "text" ? part.phase : message?.phase);
    const empty = part.kind === "text" ? textPart("", []) : refusalPart("");
    say?.(
      "response.content_part.added",
      `${place(owner.id, owner.parts.length)},"part":${json(empty)}`,
    );
    return owner;
  };

  const openThinking = (part: Extract<Current, { kind: "thinking" }>): void => {
    if (part.opened) return;
    part.opened = true;
    closeMessage();
    added(reasoningItem(part.id, ""));
  };

  const onDelta = (text: string): void => {
    if (!current || text === "") return;
    switch (current.kind) {
      case "text": {
        const owner = openPart(current);
        current.text += text;
        say?.(
          "response.output_text.delta",
          `${place(owner.id, owner.parts.length)},"delta":${json(text)},"logprobs":[]`,
        );
        return;
      }
      case "refusal": {
        const owner = openPart(current);
        current.text += text;
        say?.(
          "response.refusal.delta",
          `${place(owner.id, owner.parts.length)},"delta":${json(text)}`,
        );
        return;
      }
      case "thinking":
        return thinkingDelta(current, text);
      case "call":
        return callDelta(current, text);
      case "silent":
        return;
      default:
        current satisfies never;
    }
  };

  const thinkingDelta = (part: Extract<Current, { kind: "thinking" }>, text: string): void => {
    openThinking(part);
    if (part.text === "")
      say?.(
        "response.reasoning_summary_part.added",
        `${place(part.id)},"summary_index":0,"part":{"type":"summary_text","text":""}`,
      );
    part.text += text;
    say?.(
      "response.reasoning_summary_text.delta",
      `${place(part.id)},"summary_index":0,"delta":${json(text)}`,
    );
  };

  const callDelta = (call: Extract<Current, { kind: "call" }>, text: string): void => {
    call.input += text;
    if (call.special !== undefined) return;
    const type = call.head.call === "custom" ? "custom_tool_call_input" : "function_call_arguments";
    say?.(`response.${type}.delta`, `${place(call.id)},"delta":${json(text)}`);
  };

  const onCite = (citation: Citation): void => {
    if (current?.kind !== "text") return;
    const annotation = writeAnnotation(citation, current.text.length);
    if (!annotation) return;
    const owner = openPart(current);
    const at = `${place(owner.id, owner.parts.length)},"annotation_index":${current.annotations.length}`;
    say?.("response.output_text.annotation.added", `${at},"annotation":${json(annotation)}`);
    current.annotations.push(annotation);
  };

  const onState = (state: OpaqueState): void => {
    if (current?.kind !== "thinking") return;
    openThinking(current);
    current.state = state;
  };

  /** `state`: what the provider wants back with a call; it stands in a reasoning item before the call. */
  const onOpen = (key: number, block: OpenBlock, state: OpaqueState | undefined): void => {
    switch (block.kind) {
      case "text":
        current = {
          kind: "text",
          key,
          phase: block.phase,
          opened: false,
          text: "",
          annotations: [],
        };
        return;
      case "refusal":
        current = { kind: "refusal", key, opened: false, text: "" };
        return;
      case "thinking":
        current = { kind: "thinking", key, id: echo.newId("rs_"), opened: false, text: "" };
        return;
      case "call":
        return openCall(key, block, state);
      case "media":
        if (block.media === "image") whole(imageItem(echo.newId("ig_"), block));
        current = { kind: "silent", key };
        return;
      case "opaque":
        return openOpaque(key, block);
      default:
        block satisfies never;
    }
  };

  const whole = (item: JsonObject): void => {
    closeMessage();
    added(item);
    done(item);
  };

  const openOpaque = (key: number, block: Extract<OpenBlock, { kind: "opaque" }>): void => {
    current = { kind: "silent", key };
    const item = hostedItem(block.raw);
    if (item) whole(item);
    else if (block.action)
      onFail({
        cause: "stated",
        status: 502,
        message: `the model asked for an action (${block.type}) that this format cannot express`,
      });
  };

  const openCall = (key: number, head: CallHead, state: OpaqueState | undefined): void => {
    closeMessage();
    if (state?.origin !== undefined) whole(reasoningItem(echo.newId("rs_"), "", state));
    const plain = head.call === "function" && head.namespace === undefined;
    const special = plain && specials.has(head.name) ? head.name : undefined;
    const prefix = special === undefined ? undefined : specialItem(special, "")?.prefix;
    const id = echo.newId(prefix ?? (head.call === "custom" ? "ctc_" : "fc_"));
    const call = { id, head, input: "", ...(special !== undefined && { special }) };
    current = { kind: "call", key, ...call };
    added(callItem(head, { ...call, status: "in_progress" }));
  };

  const onClose = (): void => {
    const block = current;
    current = undefined;
    switch (block?.kind) {
      case "text":
      case "refusal":
        return closePart(block);
      case "thinking":
        return closeThinking(block);
      case "call":
        return closeCall(block);
      case "silent":
      case undefined:
        return;
      default:
        block satisfies never;
    }
  };

  const closePart = (part: Extract<Current, { kind: "text" | "refusal" }>): void => {
    if (!part.opened || !message) return;
    const at = place(message.id, message.parts.length);
    const text = part.kind === "text";
    const full = text ? textPart(part.text, part.annotations) : refusalPart(part.text);
    if (say) {
      if (text) say("response.output_text.done", `${at},"text":${json(part.text)},"logprobs":[]`);
      else say("response.refusal.done", `${at},"refusal":${json(part.text)}`);
      say("response.content_part.done", `${at},"part":${json(full)}`);
    }
    message.parts.push(full);
  };

  const closeThinking = (part: Extract<Current, { kind: "thinking" }>): void => {
    if (!part.opened) return;
    if (say && part.text !== "") {
      const at = `${place(part.id)},"summary_index":0`;
      const text = json(part.text);
      say("response.reasoning_summary_text.done", `${at},"text":${text}`);
      say(
        "response.reasoning_summary_part.done",
        `${at},"part":{"type":"summary_text","text":${text}}`,
      );
    }
    done(reasoningItem(part.id, part.text, part.state));
  };

  const closeCall = (call: Extract<Current, { kind: "call" }>): void => {
    const { id, head, special } = call;
    const custom = head.call === "custom";
    // Arguments of no parameters are an empty object, not an empty text.
    if (call.input === "" && !custom) callDelta(call, "{}");
    const input = json(call.input);
    if (say && special === undefined) {
      if (custom) say("response.custom_tool_call_input.done", `${place(id)},"input":${input}`);
      else
        say(
          "response.function_call_arguments.done",
          `${place(id)},"name":${json(head.name)},"arguments":${input}`,
        );
    }
    done(callItem(head, { ...call, status: "completed" }));
  };

  const onFail = (failure: Failure): void => {
    const id = begin({});
    over = true;
    outcome = { status: "failed", error: writeFailure(failure), usage };
    say?.("response.failed", responseText(id));
  };

  const onEnd = (): void => {
    const id = begin({});
    outcome = outcomeOf(stop, usage);
    closeMessage(outcome.status === "incomplete" ? "incomplete" : "completed");
    over = true;
    say?.(`response.${outcome.status}`, responseText(id));
  };

  /** The next block that waited; when it closes, its own close drains on. */
  const drain = (): void => {
    const next = waiting.entries().next();
    if (current !== undefined || next.done === true) return;
    const [key, events] = next.value;
    waiting.delete(key);
    run(events);
  };

  const onBlock = (
    event: Extract<ReplyEvent, { key: number }>,
    events: readonly ReplyEvent[],
    at: number,
  ): void => {
    const mine = event.kind === "open" ? current === undefined : current?.key === event.key;
    if (!mine) {
      const held = waiting.get(event.key);
      if (held) held.push(event);
      else if (event.kind === "open") waiting.set(event.key, [event]);
      return;
    }
    switch (event.kind) {
      case "open":
        return onOpen(event.key, event.block, callState(event, events, at));
      case "delta":
        return onDelta(event.text);
      case "state":
        return onState(event.state);
      case "cite":
        return onCite(event.citation);
      case "close":
        onClose();
        return drain();
      default:
        event satisfies never;
    }
  };

  const run = (events: readonly ReplyEvent[]): void => {
    events.forEach((event, at) => {
      if (over) return;
      switch (event.kind) {
        case "start":
          begin(event);
          return;
        case "usage":
          usage = addUsage(usage, event.usage);
          return;
        case "stop":
          stop = event.reason;
          return;
        case "fail":
          return onFail(event.failure);
        case "end":
          return onEnd();
        default:
          begin({});
          onBlock(event, events, at);
      }
    });
  };

  return {
    run,
    response: () => ({
      ...progressMembers(begin({}), outcome, echo),
      output: items,
      ...echoMembers(echo.request),
    }),
    started: () => me !== undefined,
    ended: () => over,
  };
}

/** The state of a call that is known when the call begins. */
function callState(
  open: Extract<ReplyEvent, { kind: "open" }>,
  events: readonly ReplyEvent[],
  at: number,
): OpaqueState | undefined {
  if (open.block.kind !== "call") return undefined;
  for (let i = at + 1; i < events.length; i++) {
    const event = events[i];
    if (event?.kind === "state" && event.key === open.key) return event.state;
    if (event?.kind === "close" && event.key === open.key) return undefined;
  }
  return undefined;
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
      if (!assembly.started() || assembly.ended()) return "";
      return sseText("keepalive", `{"type":"keepalive","sequence_number":${sequence++}}`);
    },
  };
}

/** The whole answer. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const assembly = assembler(echo, undefined);
  assembly.run(replay(reply));
  return assembly.response();
}
