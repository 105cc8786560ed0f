/** A provider that keeps its own books: what it was asked, what it answered, who left. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Provider {
  url: string;
  /** Requests that arrived, tokens that were answered, streams that their client left. */
  books: { requests: number; input: number; output: number; left: number };
  /** Streams that are open now. */
  open: () => number;
  reset(): void;
  close(): void;
}

/**
 * What a prompt may ask for: `usage=<input>,<output>` for the counts of the answer, `hold` for a stream that
 * does not end by itself.
 */
export async function startProvider(): Promise<Provider> {
  const books = { requests: 0, input: 0, output: 0, left: 0 };
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    void answer(request, response, { books, streams });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    books,
    open: () => streams.size,
    reset: () => void Object.assign(books, { requests: 0, input: 0, output: 0, left: 0 }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Shelf {
  books: Provider["books"];
  streams: Set<ServerResponse>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  shelf: Shelf,
): Promise<void> {
  let text = "";
  for await (const part of request) text += String(part);
  if (!request.url?.endsWith("/chat/completions")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data: [] }));
    return;
  }
  const { books } = shelf;
  books.requests += 1;
  if (text.includes("hold")) return hold(response, shelf);
  const [, input = "10", output = "5"] = /usage=(\d+),(\d+)/.exec(text) ?? [];
  const usage = {
    prompt_tokens: Number(input),
    completion_tokens: Number(output),
    total_tokens: Number(input) + Number(output),
  };
  books.input += usage.prompt_tokens;
  books.output += usage.completion_tokens;
  const choice = {
    index: 0,
    message: { role: "assistant", content: "yes" },
    finish_reason: "stop",
  };
  const body = {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "one",
    choices: [choice],
    usage,
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function hold(response: ServerResponse, { books, streams }: Shelf): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (delta: object): string =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "one", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
  response.write(chunk({ role: "assistant", content: "and" }));
  const timer = setInterval(() => response.write(chunk({ content: " so on" })), 50);
  streams.add(response);
  response.on("close", () => {
    clearInterval(timer);
    streams.delete(response);
    books.left += 1;
  });
}
