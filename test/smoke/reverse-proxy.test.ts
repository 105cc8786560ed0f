/** The gateway behind Debian's nginx and Caddy with the configurations of docs/operating.md, taken from that file. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openLane } from "../kit/lane.ts";
import { stream } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { connect, freePort, healthy, type Host, newKey, npmRunBench, scratch } from "./host.ts";

const nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((file) => existsSync(file));
const caddy = ["/usr/bin/caddy", "/usr/local/bin/caddy"].find((file) => existsSync(file));
const inCi = (process.env["CI"] ?? "") !== "";
for (const [name, file] of Object.entries({ nginx, caddy }))
  if (file === undefined && !inCi)
    console.warn(
      `${name} is not installed: its configuration in docs/operating.md is not tested here`,
    );

/** workerd closes a connection that was idle for so long; ms. */
const closedAfter = 5000;
/** With nginx's own 60 s, four bursts of six met a connection that was being closed. */
const bursts = 7;

interface Ports {
  gateway: string;
  proxy: number;
}

type Replaced = readonly [pattern: RegExp, text: (ports: Ports) => string];

/** What differs on a test's machine: ports, and that it has no certificate. */
const replaced: Readonly<Record<"nginx" | "caddy", readonly Replaced[]>> = {
  nginx: [
    [/server 127\.0\.0\.1:2099;/, ({ gateway }) => `server 127.0.0.1:${gateway};`],
    [/listen 443 ssl;/, ({ proxy }) => `listen 127.0.0.1:${proxy};`],
    [/ssl_certificate \S+;/, () => ""],
    [/ssl_certificate_key \S+;/, () => ""],
  ],
  caddy: [
    [/^gateway\.example\.com/m, ({ proxy }) => `http://127.0.0.1:${proxy}`],
    [/127\.0\.0\.1:2099/, ({ gateway }) => `127.0.0.1:${gateway}`],
  ],
};

function documented(proxy: "nginx" | "caddy", ports: Ports): string {
  const text = readFileSync("docs/operating.md", "utf8");
  const fence = { nginx: /```nginx\n(.*?)```/s, caddy: /### Caddy.*?```\n(.*?)```/s }[proxy];
  const snippet = fence.exec(text)?.[1];
  if (snippet === undefined) throw new Error(`docs/operating.md has no configuration for ${proxy}`);
  return replaced[proxy].reduce((config, [pattern, write]) => {
    if (!pattern.test(config)) throw new Error(`the configuration lacks ${pattern.source}`);
    return config.replace(pattern, write(ports));
  }, snippet);
}

function startCaddy(folder: string, ports: Ports): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, "Caddyfile");
  writeFileSync(
    config,
    `{\n  admin off\n  auto_https off\n  log {\n    output discard\n  }\n}\n${documented("caddy", ports)}`,
  );
  return spawn(caddy ?? "caddy", ["run", "--config", config, "--adapter", "caddyfile"], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: "ignore",
  });
}

function startNginx(folder: string, ports: Ports): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${path.join(folder, name)};`,
  );
  const config = path.join(folder, "nginx.conf");
  writeFileSync(
    config,
    // Its workers may not reach a folder of root's otherwise.
    `${process.getuid?.() === 0 ? "user root; " : ""}daemon off; pid ${path.join(folder, "pid")}; error_log ${path.join(folder, "error.log")};
events {}
http { access_log off; ${places.join(" ")}
${documented("nginx", ports)}
}`,
  );
  return spawn(nginx ?? "nginx", ["-c", config, "-e", path.join(folder, "error.log")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** A POST over a connection of its own: only those between the proxy and the gateway are used again. */
function post(port: number, key: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, path: "/v1/chat/completions", method: "POST" };
    const sending = http.request({ ...options, headers, agent: false }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    sending.once("error", reject);
    sending.end(body);
  });
}

/** A connection that sends whatever it may until `end`, whatever the answer, and opens another where it is closed. */
class Flood {
  readonly #port: number;
  readonly #head: string;
  readonly #more: Buffer;
  #ended = false;
  #socket: net.Socket;
  /** Connections that the other side closed. */
  closed = 0;
  /** Statuses of the answers that it got. */
  readonly statuses = new Set<number>();

  constructor(port: number, { head, more }: { head: string; more: Buffer }) {
    this.#port = port;
    this.#head = head;
    this.#more = more;
    this.#socket = this.#open();
  }

  end(): void {
    this.#ended = true;
    this.#socket.destroy();
  }

  #open(): net.Socket {
    const socket = net.connect(this.#port, "127.0.0.1");
    const timer = setInterval(() => {
      if (socket.writableLength < 1_000_000) socket.write(this.#more);
    }, 5);
    socket.write(this.#head);
    socket.on("error", () => undefined);
    socket.on("data", (part) => {
      for (const [, status] of part.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g))
        this.statuses.add(Number(status));
    });
    socket.once("close", () => {
      clearInterval(timer);
      this.closed += 1;
      if (!this.#ended) this.#socket = this.#open();
    });
    return socket;
  }
}

/** One text frame of a client, masked with zeros. */
const frame = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78]);
const many = (piece: Buffer): Buffer => Buffer.concat(Array.from({ length: 200 }, () => piece));
const health = "GET /healthz HTTP/1.1\r\nHost: gateway.test\r\n\r\n";
const chunk = Buffer.concat([
  Buffer.from("40000\r\n"),
  Buffer.alloc(0x40000, "x"),
  Buffer.from("\r\n"),
]);

const floods = {
  health: { head: health, more: many(Buffer.from(health)) },
  body: {
    head: "POST /v1/chat/completions HTTP/1.1\r\nHost: gateway.test\r\nTransfer-Encoding: chunked\r\n\r\n",
    more: chunk,
  },
  /** Without a key: the gateway refuses the first and closes. */
  frames: {
    head: "GET /v1/responses HTTP/1.1\r\nHost: gateway.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    more: many(frame),
  },
} as const;

/** Answers of good requests, one after the other, while the flood lasts: at least until that has happened to it. */
async function askedDuring(
  flood: Flood,
  ask: () => Promise<number>,
  happened: () => boolean,
): Promise<number[]> {
  const statuses: number[] = [];
  try {
    for (let asked = 0; asked < 30; asked++) statuses.push(await ask());
    while (!happened()) await sleep(20);
  } finally {
    flood.end();
  }
  return statuses;
}

const echo = JSON.stringify({
  model: "demo/echo",
  messages: [{ role: "user", content: "Hello" }],
});

describe.skipIf(nginx === undefined && !inCi)("behind nginx as documented", () => {
  const { folder, remove } = scratch();
  let host: Host;
  let proxy: ChildProcess;
  let port: number;
  let key: string;

  beforeAll(async () => {
    host = await npmRunBench(path.join(folder, "state"));
    key = await newKey(host);
    port = await freePort();
    proxy = startNginx(path.join(folder, "nginx"), {
      gateway: new URL(host.base).port,
      proxy: port,
    });
    await healthy(`http://127.0.0.1:${port}`);
  });

  afterAll(async () => {
    proxy.kill("SIGTERM");
    await host.stop();
    remove();
  });

  it("requests that come when the gateway closes idle connections are answered", async () => {
    const statuses: number[] = [];
    for (let burst = 0; burst < bursts; burst++) {
      const next = sleep(closedAfter);
      // nginx takes the connection that it used last first: 4 ms apart, they have been idle for 4.8 to 5.2 s.
      const posts = Array.from({ length: 60 }, async (_, index) => {
        await sleep(index * 4);
        return await post(port, key, echo);
      });
      statuses.push(...(await Promise.all(posts)));
      await next;
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it("a stream passes event by event", async () => {
    const lane = openLane(inject("upstream"));
    const text = "words that come one after the other";
    await lane.answer(stream(endpoints.chat.events({ text }, "m"), { pace: 300 }));
    const entry = { id: "slow", kind: "custom", format: "chat", base_url: `${lane.url}/v1` };
    await connect(host, { ...entry, models: [{ id: "m" }] });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "slow/m",
        stream: true,
        messages: [{ role: "user", content: "hi" }],
      }),
    });
    const pieces: string[] = [];
    for await (const piece of answer.body ?? []) pieces.push(new TextDecoder().decode(piece));
    expect(pieces.join("")).toContain("data: [DONE]");
    expect(pieces.length).toBeGreaterThan(2);
  });

  it.each([
    ["pipelined health checks", floods.health, 429],
    ["a body that never ends", floods.body, 413],
    ["frames after the close of a WebSocket", floods.frames, 101],
  ] as const)("%s: keeps nobody waiting", async (_, what, status) => {
    const flood = new Flood(port, what);
    // Not through nginx: whoever shares the flood's address shares what it may do.
    const direct = Number(new URL(host.base).port);
    const ask = () => post(direct, key, echo);
    const isStopped = () => flood.closed > 0 && flood.statuses.has(status);
    const statuses = await askedDuring(flood, ask, isStopped);
    expect(statuses.filter((each) => each !== 200)).toEqual([]);
  });
});

describe.skipIf(caddy === undefined && !inCi)("behind Caddy as documented", () => {
  const { folder, remove } = scratch();
  let host: Host;
  let proxy: ChildProcess;
  let port: number;
  let key: string;

  beforeAll(async () => {
    host = await npmRunBench(path.join(folder, "state"));
    key = await newKey(host);
    port = await freePort();
    const ports = { gateway: new URL(host.base).port, proxy: port };
    proxy = startCaddy(path.join(folder, "caddy"), ports);
    await healthy(`http://127.0.0.1:${port}`);
  });

  afterAll(async () => {
    proxy.kill("SIGTERM");
    await host.stop();
    remove();
  });

  it.each([
    // Caddy closes no connection that only asks much.
    ["pipelined health checks", floods.health, 0],
    ["a body that never ends", floods.body, 1],
    ["frames after the close of a WebSocket", floods.frames, 1],
  ] as const)("%s: keeps nobody waiting", async (_, what, closes) => {
    const flood = new Flood(port, what);
    const statuses = await askedDuring(
      flood,
      () => post(port, key, echo),
      () => flood.closed >= closes,
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
