/**
 * The output of an answer while it is written: its identity, its finished items and the message that is open. A stream
 * gets an event for each step; a whole answer only keeps the items.
 */
import type { ReplyEcho } from "../../../core/format.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import {
  echoMembers,
  progressMembers,
  responseIdentity,
  type Outcome,
  type ResponseIdentity,
} from "./response-object.ts";
import { messageItem, type ItemStatus } from "./write-items.ts";

/** Writes one event of the stream: its type and the JSON text of its other members. */
export type WriteEvent = (type: string, members: string) => void;

/** A message stays open over consecutive text blocks: each is a part of it. */
export interface OpenMessage {
  id: string;
  phase: string | undefined;
  parts: JsonObject[];
}

/** The output of one answer. */
export interface Output {
  /** Missing where only the whole answer is wanted. */
  writeEvent: WriteEvent | undefined;
  newId: (prefix: string) => string;
  /** Writes the first events; only the first call counts. */
  begin(start: { id?: string; created?: number }): void;
  hasBegun(): boolean;
  /** Writes `output_item.added`; the item's `output_index` is the number of finished items. */
  addItem(item: JsonObject): void;
  /** Writes `output_item.done`. */
  finishItem(item: JsonObject): void;
  /** Writes an item that comes in one piece, after the open message. */
  wholeItem(item: JsonObject): void;
  /** JSON members that tell the item and part that an event belongs to. */
  position(itemId: string, contentIndex?: number): string;
  /** The open message, or a new one if none of that phase is open. */
  openMessage(phase: string | undefined): OpenMessage;
  closeMessage(status?: ItemStatus): void;
  /** The phase of the open message. */
  phase(): string | undefined;
  /** Writes the terminal event. A message that is still open is left out of the answer. */
  finish(outcome: Outcome): void;
  /** The answer so far. */
  response(): JsonObject;
}

/** An empty output. */
export function newOutput(echo: ReplyEcho, writeEvent: WriteEvent | undefined): Output {
  const items: JsonObject[] = [];
  /** The JSON texts of the finished items, kept for the terminal event. */
  const texts: string[] = [];
  let echoText: string | undefined;
  let identity: ResponseIdentity | undefined;
  let message: OpenMessage | undefined;
  let outcome: Outcome = { status: "in_progress" };

  const identify = (start: { id?: string; created?: number } = {}): ResponseIdentity =>
    (identity ??= responseIdentity(start, echo));

  /** The request's members are the same in all events: their text is made once. */
  const responseText = (): string => {
    echoText ??= JSON.stringify(echoMembers(echo.request)).slice(1);
    const head = JSON.stringify(progressMembers(identify(), outcome, echo)).slice(0, -1);
    return `"response":${head},"output":[${texts.join(",")}],${echoText}`;
  };

  const output: Output = {
    writeEvent,
    newId: echo.newId,
    begin(start) {
      if (identity) return;
      identify(start);
      if (!writeEvent) return;
      const response = responseText();
      writeEvent("response.created", response);
      writeEvent("response.in_progress", response);
    },
    hasBegun: () => identity !== undefined,
    addItem(item) {
      writeEvent?.(
        "response.output_item.added",
        `"output_index":${items.length},"item":${JSON.stringify(item)}`,
      );
    },
    finishItem(item) {
      if (writeEvent) {
        const text = JSON.stringify(item);
        writeEvent("response.output_item.done", `"output_index":${items.length},"item":${text}`);
        texts.push(text);
      }
      items.push(item);
    },
    wholeItem(item) {
      output.closeMessage();
      const events = progressEvents(item);
      output.addItem(events.length === 0 ? item : { ...item, status: "in_progress" });
      const place = output.position(asString(item["id"]) ?? "");
      for (const event of events) writeEvent?.(event, place);
      output.finishItem(item);
    },
    position: (itemId, contentIndex) =>
      `"item_id":${JSON.stringify(itemId)},"output_index":${items.length}` +
      (contentIndex === undefined ? "" : `,"content_index":${contentIndex}`),
    openMessage(phase) {
      if (message && message.phase === phase) return message;
      output.closeMessage();
      message = { id: echo.newId("msg_"), phase, parts: [] };
      output.addItem(itemOf(message, "in_progress"));
      return message;
    },
    closeMessage(status = "completed") {
      if (!message) return;
      const item = itemOf(message, status);
      message = undefined;
      output.finishItem(item);
    },
    phase: () => message?.phase,
    finish(ending) {
      output.begin({});
      outcome = ending;
      writeEvent?.(`response.${ending.status}`, responseText());
    },
    response: () => ({
      ...progressMembers(identify(), outcome, echo),
      output: items,
      ...echoMembers(echo.request),
    }),
  };
  return output;
}

/** Programs show by these events that the service searches; there is none for a search that failed. */
function progressEvents({ type, status }: JsonObject): string[] {
  if (type !== "web_search_call") return [];
  const begun = ["response.web_search_call.in_progress", "response.web_search_call.searching"];
  return status === "completed" ? [...begun, "response.web_search_call.completed"] : begun;
}

function itemOf({ id, parts, phase }: OpenMessage, status: ItemStatus): JsonObject {
  return messageItem(id, parts, { status, ...(phase !== undefined && { phase }) });
}
