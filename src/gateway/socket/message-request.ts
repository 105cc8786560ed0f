/** A message as the HTTP request that it equals: the rest of the gateway knows no other. */
import type { CreateMessage, SocketRequest } from "../../core/socket-format.ts";
import type { Received } from "../received.ts";

/** What belongs to the socket, or to the body of its upgrade. */
const ofSocket =
  /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|accept|openai-beta)$/;

/** The headers of the upgrade that say something of every message. */
export function messageHeaders({ headers }: Request): Headers {
  const kept = new Headers();
  for (const [name, value] of headers) if (!ofSocket.test(name)) kept.append(name, value);
  return kept;
}

/** The request of one message. `shared`: what `messageHeaders` gave. */
export function messageRequest(
  { http }: Pick<Received, "http">,
  shared: Headers,
  { message, request }: { message: CreateMessage; request: SocketRequest },
): Request {
  const headers = new Headers(shared);
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, value);
  headers.set("content-type", "application/json");
  headers.set("content-length", String(request.body.length));
  return new Request(http.url, { method: "POST", headers, body: request.body });
}
