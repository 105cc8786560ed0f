/** Opens a socket for a client that asks for one. */
import { Problem, problemCodes } from "../../core/problem.ts";
import type { SocketFormat } from "../../core/socket-format.ts";
import { Exchange } from "../exchange.ts";
import { provenKey } from "../identify.ts";
import type { Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";
import { ClientSocket } from "./client-socket.ts";
import { messageHeaders } from "./message-request.ts";

/**
 * Answers upgrades with a socket in this format. Undefined where no more can be opened: the client uses HTTP then. A key that is not good is refused at the first message: clients take a refused upgrade for a fault of
 * the connection and try it for seconds.
 */
export function openingSockets(
  format: SocketFormat,
): (received: Received, services: Services) => Promise<Response | undefined> {
  return async (received, services) => {
    if (isKeylessPage(received.http))
      return await refuse(pageProblem(), new Exchange(received, services));
    if (services.drain.announced())
      return await refuse(restarting(), new Exchange(received, services));
    const key = await provenKey(received, services);
    const caller = key === undefined ? { address: services.addressOf(received.headers) } : { key };
    const giveBack = services.sockets.take(caller);
    return giveBack && opened(received, { format, services, giveBack, proven: key !== undefined });
  };
}

interface Opening {
  readonly format: SocketFormat;
  readonly services: Services;
  readonly giveBack: () => void;
  readonly proven: boolean;
}

function opened(upgrade: Received, { format, services, giveBack, proven }: Opening): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  const headers = messageHeaders(upgrade.http);
  const socket = new ClientSocket(server, { upgrade, format, headers, services, proven }, giveBack);
  socket.listen();
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: { "X-Gateway-Request-Id": upgrade.id },
  });
}

/**
 * Pages of any site may open WebSockets here without asking first, with the browser's cookies. Neither cookies nor
 * addresses are ever read for a key; and a page cannot set the header that is.
 */
function isKeylessPage({ headers }: Request): boolean {
  return headers.has("origin") && !headers.has("authorization") && !headers.has("x-api-key");
}

/** Clients retry this; 426 would keep them from using sockets at all. */
function restarting(): Problem {
  const message = "The gateway is restarting. Try again in 2 s.";
  return new Problem(problemCodes.overloaded, message, { headers: { "Retry-After": "2" } });
}

function pageProblem(): Problem {
  const message = "Web pages cannot send a key over a WebSocket. Send requests over HTTP.";
  return new Problem(problemCodes.noKey, message);
}
