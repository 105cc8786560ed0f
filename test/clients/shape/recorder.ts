/** Stands between a client and the gateway, passes everything on, and notes what the client sends. */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** A request as the client sent it. */
export interface Sent {
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  text: string;
}

export interface Recorder {
  url: string;
  sent: Sent[];
  close(): void;
}

/** Starts one in front of the gateway at this address. */
export async function startRecorder(gateway: string): Promise<Recorder> {
  const sent: Sent[] = [];
  const { hostname, port } = new URL(gateway);
  const target = { host: hostname, port: Number(port) };
  const server = createServer((request, response) => void pass(request, response));
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    // Without setEncoding a request yields buffers.
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    sent.push(noted(request, body.toString()));
    const { method, url: path, headers } = request;
    const onward = ask({ ...target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  };
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sent.push(noted(request, ""));
    const onward = net.connect(target, () => {
      onward.write(headOf(request));
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const side of [onward, socket]) side.on("error", () => side.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  const own = (server.address() as AddressInfo).port;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${own}`, sent, close };
}

function noted({ method, url, headers }: IncomingMessage, text: string): Sent {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { method: method ?? "", path: url ?? "/", headers: Object.fromEntries(pairs), text };
}

function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
