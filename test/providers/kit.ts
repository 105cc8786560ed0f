/** Shared by the tests of providers: entries, models, a real server on a free port. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { connectionOf } from "../../src/providers/connection/connection.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import { guessedModel } from "../../src/providers/models/models.ts";
import type { ProviderEntry } from "../../src/store/config.ts";

export const noon = Date.parse("2026-11-20T12:00:00Z");

/** A model of a connection as if its list named it. */
export function modelOf(entry: ProviderEntry, id: string): ListedModel {
  return guessedModel(connectionOf(entry), id, noon);
}

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Server {
  base: string;
  seen: Seen[];
  close(): Promise<void>;
}

/** A server on loopback that answers every request with `answer`, once its body has been read. */
export async function serve(
  answer: (request: Seen, response: ServerResponse) => void,
): Promise<Server> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(parts).toString() };
      seen.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
