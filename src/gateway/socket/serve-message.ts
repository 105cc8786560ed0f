/** One message of a socket that wants a response: the same story as over HTTP, told in frames. */
import type { Reply } from "../../core/reply.ts";
import { replay } from "../../core/reply.ts";
import type { ConversationItems, CreateMessage, SocketFormat } from "../../core/socket-format.ts";
import { readHeaders } from "../../lib/header-reader.ts";
import { newId } from "../../lib/ids.ts";
import { letOthersRun } from "../../lib/pace.ts";
import { newestHolder } from "../endpoints/current-holder.ts";
import { handle } from "../handle.ts";
import { identify } from "../identify.ts";
import { isLarge } from "../request/body.ts";
import { checked, parse } from "../parse.ts";
import { letGo, receive, type Received } from "../received.ts";
import type { Services } from "../services.ts";
import { FramedEvents, passEvents } from "./answer.ts";
import type { KeptConversation } from "./conversations.ts";
import { messageRequest } from "./message-request.ts";
import { refusalFrame, refusedFrame } from "./refusal.ts";

/** The socket as its messages know it. */
export interface ServedSocket {
  /** The request that opened it. */
  readonly upgrade: Received;
  readonly format: SocketFormat;
  /** Headers of every message's request. */
  readonly headers: Headers;
  readonly closed: AbortSignal;
  readonly services: Services;
  send(frame: string): void;
  /** Sends the frame that refuses a message of so many characters. */
  refuse(frame: string, size: number): void;
}

/** Silence after which a client is told that its response is still awaited, in ms: other events reset no limit of Codex. */
const heartbeat = 4000;
const lookInterval = 500;

/** Serves the message to its end. What the next one may go on from; undefined where the response is not complete. */
export async function serveMessage(
  message: CreateMessage,
  before: ConversationItems | undefined,
  socket: ServedSocket,
): Promise<KeptConversation | undefined> {
  const { format, send, refuse } = socket;
  const events = new FramedEvents(format, message.lane, send);
  const timer = setInterval(() => events.keepAlive(heartbeat), lookInterval);
  let received = socket.upgrade;
  try {
    if (isLarge(message.size)) await letOthersRun();
    const request = format.writeRequest(message, before);
    if (isLarge(request.body.length)) await letOthersRun();
    received = receiveMessage(
      socket,
      messageRequest(socket.upgrade, socket.headers, { message, request }),
    );
    const answering = message.warmUp ? warmUp : answer;
    await answering(received, { events, socket, message });
    const { id, items } = events.answer;
    return id === undefined ? undefined : { id, items: format.joinItems(request.items, items) };
  } catch (error) {
    // Its own end broke what was under way.
    if (socket.closed.aborted) return undefined;
    refuse(refusalFrame(error, { received, format, lane: message.lane }), message.size);
    return undefined;
  } finally {
    clearInterval(timer);
    if (received !== socket.upgrade) received.departure.forget();
  }
}

function receiveMessage({ upgrade, closed, services }: ServedSocket, http: Request): Received {
  const { client, waitUntil } = upgrade;
  const headers = readHeaders(http.headers);
  return receive(
    { http, headers, client, waitUntil, generates: true, socket: { closed } },
    services,
  );
}

interface Answering {
  readonly events: FramedEvents;
  readonly socket: ServedSocket;
  readonly message: CreateMessage;
}

async function answer(received: Received, { events, socket, message }: Answering): Promise<void> {
  const { format, refuse, closed, services } = socket;
  const refusing = { received, format, lane: message.lane };
  const response = await handle(received, services);
  const streams = /text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  if (!response.ok || !streams || response.body === null)
    return refuse(await refusedFrame(response, refusing), message.size);
  await passEvents(response.body, events, closed);
  if (!events.answer.ended && !closed.aborted)
    throw new Error("an answer ended without its last event");
}

const nothing: Reply = { blocks: [], usage: { input: 0, output: 0 }, stop: { reason: "end" } };

/** The key and the message are checked; no model is called, and nothing is counted for the workspace. */
async function warmUp(received: Received, { events, socket }: Answering): Promise<void> {
  const { services, format } = socket;
  try {
    const identified = await identify(received, services);
    const holder = await newestHolder(identified, services);
    const { client, request } = checked(await parse({ ...identified, holder }));
    const writer = client.eventWriter({
      model: request.description.model,
      wantsUsage: true,
      newId,
      now: Math.floor(services.now() / 1000),
      request: client.echoed(request.body),
    });
    for (const data of format.emptyAnswer(writer.write(replay(nothing)))) events.take(data);
  } finally {
    letGo(received);
  }
}
