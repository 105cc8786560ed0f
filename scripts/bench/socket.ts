/**
 * `npm run bench:socket`: a step of a tool loop over HTTP and over a WebSocket, through a line with a round trip of 80 ms
 * and 10 Mbit/s. Over HTTP every step opens a connection and sends the whole conversation, as Codex does. The provider
 * answers at once. The proxy charges nothing for opening a connection.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { admin, newKey, npmRunBench, scratch, type Host } from "../../test/smoke/host.ts";
import { openSocket } from "./socket-client.ts";
import { slowProxy } from "./slow-proxy.ts";

const steps = 7;
const rounds = 3;
/** Bytes that stand in every request: instructions and tools, as Codex has them. */
const fixed = "t".repeat(10_000);
const line = { delay: 40, rate: 10_000_000 };

/** When each call reached the provider. */
let calls: number[] = [];

function startProvider(): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      calls.push(performance.now());
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer(calls.length));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** A call of a tool. */
function answer(step: number): string {
  const id = `resp_${step}`;
  const item = {
    type: "function_call",
    id: `fc_${step}`,
    call_id: `call_${step}`,
    name: "shell",
    arguments: "{}",
    status: "completed",
  };
  const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
  const events = [
    {
      type: "response.created",
      response: { id, object: "response", status: "in_progress", output: [] },
    },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    {
      type: "response.completed",
      response: { id, object: "response", status: "completed", output: [item], usage },
    },
  ];
  return events
    .map(
      (event, sequence_number) =>
        `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    )
    .join("");
}

const request = (input: unknown[]): object => ({
  model: "lab/m",
  store: false,
  stream: true,
  instructions: fixed,
  input,
});

const result = (step: number): object => ({
  type: "function_call_output",
  call_id: `call_${step}`,
  output: "done ".repeat(100),
});

interface Way {
  name: string;
  run(history: unknown[], to: { port: number; key: string }): Promise<void>;
}

const ways: Way[] = [
  {
    name: "HTTP",
    async run(history, { port, key }) {
      const input = [...history];
      for (let step = 1; step <= steps; step++) {
        await post(JSON.stringify(request(input)), port, key);
        input.push(
          { type: "function_call", call_id: `call_${step}`, name: "shell", arguments: "{}" },
          result(step),
        );
      }
    },
  },
  {
    name: "WebSocket",
    async run(history, { port, key }) {
      const client = await openSocket({ port, headers: { authorization: `Bearer ${key}` } });
      let message = request(history);
      for (let step = 1; step <= steps; step++) {
        client.send(JSON.stringify({ type: "response.create", ...message }));
        const done = await client.until("response.completed", "error");
        if (done?.type !== "response.completed") throw new Error(JSON.stringify(done));
        message = {
          ...request([result(calls.length)]),
          previous_response_id: `resp_${calls.length}`,
        };
      }
      client.connection.destroy();
    },
  },
];

function post(body: string, port: number, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const options = {
      host: "127.0.0.1",
      port,
      path: "/v1/responses",
      method: "POST",
      agent: false,
      headers,
    };
    const asked = http.request(options, (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(String(response.statusCode))),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const median = (list: number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

async function measure(
  way: Way,
  history: unknown[],
  to: { port: number; key: string },
): Promise<string> {
  const between: number[] = [];
  const lines: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const proxy = await slowProxy({ ...line, port: to.port });
    calls = [];
    await way.run(history, { ...to, port: proxy.port });
    between.push(...calls.slice(1).map((at, index) => at - (calls[index] ?? at)));
    const { connections, bytesUp } = proxy.counts;
    lines.push(`${connections} connections, ${Math.round(bytesUp / 1000)} KB up`);
    await proxy.close();
  }
  return `${way.name.padEnd(10)} ${median(between).toFixed(0).padStart(4)} ms from one call to the next, ${lines[0]}`;
}

async function configure(host: Host, provider: http.Server): Promise<string> {
  // A listening TCP server has such an address.
  const { port } = provider.address() as AddressInfo;
  const base_url = `http://127.0.0.1:${port}/v1`;
  const entry = { id: "lab", kind: "custom", format: "responses", base_url, models: [{ id: "m" }] };
  await admin(host, "PUT /api/config", { providers: [entry], harnesses: [{ id: "h", name: "H" }] });
  return await newKey(host);
}

const space = scratch();
const provider = await startProvider();
const host = await npmRunBench(space.folder);
try {
  const key = await configure(host, provider);
  const to = { port: Number(new URL(host.base).port), key };
  const histories = {
    "short history": [{ type: "message", role: "user", content: "hi" }],
    "300 KB of history": [{ type: "message", role: "user", content: "h".repeat(300_000) }],
  };
  for (const [name, history] of Object.entries(histories)) {
    console.log(`${name}, ${steps} calls:`);
    for (const way of ways) console.log(`  ${await measure(way, history, to)}`);
  }
} finally {
  await host.stop();
  provider.close();
  provider.closeAllConnections();
  space.remove();
}
