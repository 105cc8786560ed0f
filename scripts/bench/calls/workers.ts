/** What the gateway is compared with: workers of the same runtime that do nothing but pass on. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { supervise, workerdBinary, type Supervised } from "../../host/workerd/supervise.ts";

/** A peer that runs, and its process. */
export interface Peer {
  readonly server: Supervised;
  readonly pid: number;
}

const pass = (provider: string): string =>
  `fetch("${provider}" + new URL(request.url).pathname, { method: "POST", headers: request.headers, body: request.body })`;

/** What the runtime itself costs. */
export function startBare(folder: string, provider: string): Promise<Peer> {
  return startWorker(folder, {
    name: "bare",
    script: `export default { fetch: (request) => ${pass(provider)} };`,
    extras: "",
  });
}

/**
 * The floor of a gateway with exact limits: one call of an object before the answer, one behind it, both in memory, and
 * the answer through the runtime's own pipe. No key is checked, nothing is read or booked.
 */
export function startTwoCalls(folder: string, provider: string): Promise<Peer> {
  const script = `import { DurableObject } from "cloudflare:workers";
export class Limits extends DurableObject {
  held = new Set(); count = 0;
  acquire() { this.held.add(++this.count); return this.count; }
  release(id) { this.held.delete(id); }
}
export default { async fetch(request, env, ctx) {
  const limits = env.LIMITS.get(env.LIMITS.idFromName("one"));
  const id = await limits.acquire();
  const answer = await ${pass(provider)};
  const { readable, writable } = new IdentityTransformStream();
  ctx.waitUntil(answer.body.pipeTo(writable).finally(() => limits.release(id)));
  return new Response(readable, answer);
} };`;
  const extras = `,
      bindings = [(name = "LIMITS", durableObjectNamespace = "Limits")],
      durableObjectNamespaces = [(className = "Limits", uniqueKey = "limits")],
      durableObjectStorage = (inMemory = void)`;
  return startWorker(folder, { name: "two-calls", script, extras });
}

interface Worker {
  readonly name: string;
  readonly script: string;
  /** Members of the worker's configuration. */
  readonly extras: string;
}

async function startWorker(parent: string, { name, script, extras }: Worker): Promise<Peer> {
  const folder = path.join(parent, name);
  mkdirSync(folder);
  const config = path.join(folder, "worker.capnp");
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "w.js", esModule = ${JSON.stringify(script)})],
      compatibilityDate = "2026-04-01"${extras}
    )),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);`,
  );
  let pid = 0;
  const server = await supervise({
    binary: workerdBinary(),
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => ({}),
    onSpawn: (started) => (pid = started),
    log: (line) => console.error(line),
    output: "inherit",
  });
  return { server, pid };
}
