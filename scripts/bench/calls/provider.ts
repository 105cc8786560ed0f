/**
 * A provider on this machine, as a process of its own: it prints its port, answers whole requests at once, and streams as
 * the request's text asks: `[[events=60,gap=5,burst=1]]`. Every event carries the time at which it was written.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";

const answer = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "m",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "word ".repeat(120) },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 120, total_tokens: 220 },
  }),
);
const knobs = /\[\[events=(\d+),gap=(\d+),burst=(\d+)\]\]/;

interface Pace {
  readonly events: number;
  /** Milliseconds between two writes; 0 for as soon as possible. */
  readonly gap: number;
  /** Events of one write. */
  readonly burst: number;
}

const server = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    if (!body.includes('"stream":true')) {
      const headers = { "content-type": "application/json", "content-length": answer.length };
      response.writeHead(200, headers).end(answer);
      return;
    }
    const found = knobs.exec(body.toString("latin1", 0, 1000)) ?? [];
    const [events = 60, gap = 5, burst = 1] = found.slice(1).map(Number);
    stream(response, { events, gap, burst });
  });
});

function stream(response: http.ServerResponse, pace: Pace): void {
  response.socket?.setNoDelay(true);
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  const write = (): void => {
    const until = Math.min(pace.events, sent + pace.burst);
    let text = "";
    for (; sent < until; sent++) text += event({ delta: { content: ` word@${now()}@` } });
    response.write(text);
    if (sent >= pace.events) response.end(end());
    else if (pace.gap > 0) setTimeout(write, pace.gap);
    else setImmediate(write);
  };
  write();
}

function event(choice: object): string {
  const choices = [{ index: 0, logprobs: null, finish_reason: null, ...choice }];
  return `data: ${JSON.stringify({ ...common, choices })}\n\n`;
}

function end(): string {
  const usage = { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 };
  const last = JSON.stringify({ ...common, choices: [], usage });
  return `${event({ delta: {}, finish_reason: "stop" })}data: ${last}\n\ndata: [DONE]\n\n`;
}

const common = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };

/** Microseconds of the machine's monotonic clock. */
function now(): bigint {
  return process.hrtime.bigint() / 1000n;
}

server.listen(0, "127.0.0.1", () => {
  // A listening TCP server has such an address.
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});
process.once("disconnect", () => process.exit());
