/**
 * The answer while it is written: its identity, its finished items and the message that stands open. The stream
 * says every step; the whole answer only keeps the items.
 */
import type { ReplyEcho } from "../../../core/format.ts";
import type { JsonObject } from "../../../lib/json.ts";
import {
  echoMembers,
  identity,
  progressMembers,
  type Identity,
  type Outcome,
} from "./response-object.ts";
import { messageItem, type ItemStatus } from "./write-items.ts";

/** Says one event: its type and the JSON text of its own members. */
export type Say = (type: string, members: string) => void;

/** A message stays open over neighbouring text blocks: each is a part of it. */
export interface OpenMessage {
  id: string;
  phase: string | undefined;
  parts: JsonObject[];
}

export interface Output {
  /** Missing where only the whole answer is wanted. */
  say: Say | undefined;
  newId: (prefix: string) => string;
  /** Says that the answer began; only the first call counts. */
  begin(start: { id?: string; created?: number }): void;
  begun(): boolean;
  /** `output_item.added`; the item's `output_index` is the number of finished ones. */
  added(item: JsonObject): void;
  /** `output_item.done`. */
  done(item: JsonObject): void;
  /** An item that comes in one piece. */
  whole(item: JsonObject): void;
  /** JSON members that tell where a piece belongs. */
  place(id: string, content?: number): string;
  /** The open message; another one where there is none of that phase. */
  message(phase: string | undefined): OpenMessage;
  closeMessage(status?: ItemStatus): void;
  /** The phase of the message that stands open. */
  phase(): string | undefined;
  /** The terminal event. A message that still stands open is not part of the answer. */
  end(outcome: Outcome): void;
  /** The answer as it stands. */
  response(): JsonObject;
}

export function output(echo: ReplyEcho, say: Say | undefined): Output {
  const items: JsonObject[] = [];
  const texts: string[] = [];
  let echoed: string | undefined;
  let me: Identity | undefined;
  let message: OpenMessage | undefined;
  let outcome: Outcome = { status: "in_progress" };

  const mine = (start: { id?: string; created?: number } = {}): Identity =>
    (me ??= identity(start, echo));

  /** The request's members are the same in all events: their text is made once. */
  const responseText = (): string => {
    echoed ??= JSON.stringify(echoMembers(echo.request)).slice(1);
    const head = JSON.stringify(progressMembers(mine(), outcome, echo)).slice(0, -1);
    return `"response":${head},"output":[${texts.join(",")}],${echoed}`;
  };

  const out: Output = {
    say,
    newId: echo.newId,
    begin(start) {
      if (me) return;
      mine(start);
      if (!say) return;
      const response = responseText();
      say("response.created", response);
      say("response.in_progress", response);
    },
    begun: () => me !== undefined,
    added(item) {
      say?.(
        "response.output_item.added",
        `"output_index":${items.length},"item":${JSON.stringify(item)}`,
      );
    },
    done(item) {
      if (say) {
        const text = JSON.stringify(item);
        say("response.output_item.done", `"output_index":${items.length},"item":${text}`);
        texts.push(text);
      }
      items.push(item);
    },
    whole(item) {
      out.closeMessage();
      out.added(item);
      out.done(item);
    },
    place: (id, content) =>
      `"item_id":"${id}","output_index":${items.length}` +
      (content === undefined ? "" : `,"content_index":${content}`),
    message(phase) {
      if (message && message.phase === phase) return message;
      out.closeMessage();
      message = { id: echo.newId("msg_"), phase, parts: [] };
      out.added(itemOf(message, "in_progress"));
      return message;
    },
    closeMessage(status = "completed") {
      if (!message) return;
      const item = itemOf(message, status);
      message = undefined;
      out.done(item);
    },
    phase: () => message?.phase,
    end(ending) {
      out.begin({});
      outcome = ending;
      say?.(`response.${ending.status}`, responseText());
    },
    response: () => ({
      ...progressMembers(mine(), outcome, echo),
      output: items,
      ...echoMembers(echo.request),
    }),
  };
  return out;
}

function itemOf({ id, parts, phase }: OpenMessage, status: ItemStatus): JsonObject {
  return messageItem(id, parts, { status, ...(phase !== undefined && { phase }) });
}
