/** The gateway behind Debian's nginx with the configuration of docs/operating.md, taken from that file. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openLane } from "../kit/lane.ts";
import { stream } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { connect, freePort, healthy, type Host, newKey, npmRunBench, scratch } from "./host.ts";

const nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((file) => existsSync(file));
const inCi = (process.env["CI"] ?? "") !== "";
if (nginx === undefined && !inCi)
  console.warn("nginx is not installed: its configuration in docs/operating.md is not tested here");

/** workerd closes a connection that was idle for so long; ms. */
const closedAfter = 5000;
/** With nginx's own 60 s, four bursts of six met a connection that was being closed. */
const bursts = 7;

/** What differs on a test's machine: ports, and that it has no certificate. */
const replaced: readonly [pattern: RegExp, text: (ports: Ports) => string][] = [
  [/server 127\.0\.0\.1:2099;/, ({ gateway }) => `server 127.0.0.1:${gateway};`],
  [/listen 443 ssl;/, ({ proxy }) => `listen 127.0.0.1:${proxy};`],
  [/ssl_certificate \S+;/, () => ""],
  [/ssl_certificate_key \S+;/, () => ""],
];

interface Ports {
  gateway: string;
  proxy: number;
}

function documented(ports: Ports): string {
  const text = readFileSync("docs/operating.md", "utf8");
  const snippet = /```nginx\n(.*?)```/s.exec(text)?.[1];
  if (snippet === undefined) throw new Error("docs/operating.md has no configuration for nginx");
  return replaced.reduce((config, [pattern, write]) => {
    if (!pattern.test(config)) throw new Error(`the configuration lacks ${pattern.source}`);
    return config.replace(pattern, write(ports));
  }, snippet);
}

function startNginx(folder: string, ports: Ports): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${path.join(folder, name)};`,
  );
  const config = path.join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; pid ${path.join(folder, "pid")}; error_log ${path.join(folder, "error.log")};
events {}
http { access_log off; ${places.join(" ")}
${documented(ports)}
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
    const body = JSON.stringify({
      model: "demo/echo",
      messages: [{ role: "user", content: "Hello" }],
    });
    const statuses: number[] = [];
    for (let burst = 0; burst < bursts; burst++) {
      const next = sleep(closedAfter);
      // nginx takes the connection that it used last first: 4 ms apart, they have been idle for 4.8 to 5.2 s.
      const posts = Array.from({ length: 60 }, async (_, index) => {
        await sleep(index * 4);
        return await post(port, key, body);
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
});
