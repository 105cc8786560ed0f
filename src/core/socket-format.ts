/**
 * What a format says over a WebSocket: messages of clients that are requests, and answers as one text frame an event.
 * A client's messages may go on from an earlier response of the same socket; the items of that conversation are kept as
 * the bytes of their JSON, because they are only ever written into the next request.
 */
import type { JsonObject } from "../lib/json.ts";

/** How a format is spoken over a socket. */
export interface SocketFormat {
  /** The field in which a message names the response that it goes on from. */
  readonly continuesField: string;
  /** Throws M300 for what is no message. */
  readMessage(text: string): SocketMessage;
  /**
   * The request as its endpoint takes it over HTTP, and the conversation that it leads to. `before`: what it goes on
   * from. Throws M300 for what is not possible over a socket.
   */
  writeRequest(message: CreateMessage, before: ConversationItems | undefined): SocketRequest;
  /** The conversation with the items of its answer. */
  joinItems(items: readonly ConversationItems[], answer: readonly string[]): ConversationItems;
  /** What an event of an answer (its JSON text) means to the socket. */
  readEvent(data: string): SocketEvent;
  /** A frame: the event, with the lane that it belongs to. Empty for what is no JSON object. */
  writeEvent(data: string, lane: string | undefined): string;
  /** The frame that refuses a message. */
  writeError(error: SocketError, lane: string | undefined): string;
  /** The frame that says that a steering message came to nothing. */
  writeSteerFailed(message: SteerMessage): string;
  /** What is sent while the provider is silent; `last`: the event before it, in whose place in the order it stands. */
  writeKeepAlive(last: string | undefined, lane: string | undefined): string;
  /** The answer to a message that wants none: the events of a response without output, as data. */
  emptyAnswer(stream: string): string[];
}

/** A message of a client. */
export type SocketMessage = CreateMessage | SteerMessage | { readonly kind: "ignored" };

/** It wants a response. */
export interface CreateMessage {
  readonly kind: "create";
  /** The lane that it names; one at a time is served in each. */
  readonly lane: string | undefined;
  /** The response that it goes on from. */
  readonly continues?: string;
  /** Only the conversation is wanted: a request that is prepared and not sent. */
  readonly warmUp: boolean;
  /** What its client would say in headers over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every member of the message by its name, as its JSON text. */
  readonly members: ReadonlyMap<string, string>;
  /** Characters of the message. */
  readonly size: number;
}

/** It wants to add to a response that runs. */
export interface SteerMessage {
  readonly kind: "steer";
  readonly members: ReadonlyMap<string, string>;
}

/** Items of a conversation as the bytes of their JSON, with commas between them. */
export type ConversationItems = Uint8Array;

/** A request that was written from a message. */
export interface SocketRequest {
  readonly body: Uint8Array;
  /** The conversation up to the answer, in pieces that are joined when the answer is complete. */
  readonly items: readonly ConversationItems[];
}

/** What an event of an answer means. */
export type SocketEvent =
  | { readonly kind: "item"; readonly place: number; readonly item: string }
  /** The answer is complete. `items`: its output, where the event repeats it. */
  | { readonly kind: "completed"; readonly id: string | undefined; readonly items: string }
  /** The answer ended in another way. */
  | { readonly kind: "ended" }
  | { readonly kind: "other" };

/** What a refusal says. */
export interface SocketError {
  readonly status: number;
  /** The envelope that the refusal has over HTTP. */
  readonly envelope: JsonObject;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}
