/** A provider that never stops sending: a gigabyte in each of its answers, compressed to a few kilobytes. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";

const gigabyte = 1024 * 1024 * 1024;

/** The end of a stream that is read to its end. */
const done = "data: [DONE]\n\n";

interface Endless {
  status?: number;
  type: string;
  /** What stands before the part that is repeated. */
  head?: string;
  repeated: string;
  /** Bytes before the tail; a gigabyte unless set. */
  size?: number;
  tail?: string;
}

const sse = "text/event-stream";
const json = "application/json";
const delta = (content: string): string =>
  `data: ${JSON.stringify({ id: "a", choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Every answer by the first part of its path. */
const answers = {
  "whole answer": { type: json, head: '{"choices":[{"message":{"content":"', repeated: "aaaa" },
  "stream for a whole answer": { type: sse, repeated: delta("word ") },
  "comments before the first content": { type: sse, repeated: ": still here\n\n" },
  "events without content": { type: sse, repeated: 'data: {"choices":[]}\n\n' },
  "event without an end": { type: sse, head: "data: ", repeated: "aaaa" },
  "lines of one event": { type: sse, repeated: "data: aaaa\n" },
  "token count": { type: json, head: '{"input_tokens":1,"more":"', repeated: "aaaa" },
  "error text": { status: 500, type: json, head: '{"error":{"message":"', repeated: "aaaa" },
  "model list": { type: json, head: '{"data":[', repeated: '{"id":"m"},' },
  content: {
    type: sse,
    repeated: delta("word ".repeat(4000)),
    size: 512 * 1024 * 1024,
    tail: done,
  },
} satisfies Record<string, Endless>;

export type EndlessAnswer = keyof typeof answers;

export interface EndlessProvider {
  /** The root under which all answers are of this kind. */
  url(answer: EndlessAnswer): string;
  close(): void;
}

export async function endlessProvider(): Promise<EndlessProvider> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.split("/")[1] ?? "");
    request.resume();
    const answer = Object.entries(answers).find(([known]) => known === name)?.[1];
    if (answer === undefined) response.writeHead(404).end();
    else send(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: (answer) => `http://127.0.0.1:${port}/${encodeURIComponent(answer)}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(answer: Endless, response: ServerResponse): void {
  const { status = 200, type, head = "", repeated, size = gigabyte, tail = "" } = answer;
  response.writeHead(status, { "content-type": type, "content-encoding": "gzip" });
  const block = Buffer.from(repeated.repeat(Math.ceil((1024 * 1024) / repeated.length)));
  const gzip = createGzip({ level: 1 });
  gzip.pipe(response);
  gzip.write(head);
  let sent = 0;
  const more = (): void => {
    while (!response.destroyed && sent < size) {
      sent += block.length;
      if (!gzip.write(block)) return void gzip.once("drain", more);
    }
    gzip.end(tail);
  };
  more();
  response.on("close", () => gzip.destroy());
}
