/**
 * `npm run bench:translate`: what translation costs inside workerd, for every client and provider dialect, beside the
 * plain relay of the same bytes in the same run. Microseconds per event of a provider's stream; milliseconds and MB/s
 * for a request of about 300 KB.
 */
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import type { Job, Outcome } from "./translate-worker.ts";
import { root } from "../host/paths.ts";

/** Milliseconds that one measurement should take, and how many are made; the fastest counts. */
const long = 250;
const repeats = 3;

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["scripts/bench/translate-worker.ts"],
  bundle: true,
  format: "esm",
  target: "es2023",
  platform: "browser",
  conditions: ["workerd", "worker", "browser"],
  define: { __LIMITS__: "true", __VERSION__: '"bench"' },
  write: false,
  logLevel: "warning",
});
const host = new Miniflare({
  modules: true,
  script: outputFiles[0]?.text ?? "",
  compatibilityDate: "2026-04-01",
});

async function run(job: Job): Promise<Outcome> {
  const response = await host.dispatchFetch("http://bench.invalid/", {
    method: "POST",
    body: JSON.stringify(job),
  });
  if (!response.ok)
    throw new Error(`${JSON.stringify(job)}: ${response.status} ${await response.text()}`);
  // The worker beside this file answers nothing else.
  return (await response.json()) as Outcome;
}

interface Cost {
  /** Milliseconds of one round. */
  ms: number;
  size: number;
}

async function cost(job: Omit<Job, "rounds">): Promise<Cost> {
  await run({ ...job, rounds: 3 });
  const first = await run({ ...job, rounds: 5 });
  const rounds = Math.max(5, Math.round((long * 5) / Math.max(first.ms, 1)));
  let best = Infinity;
  for (let n = 0; n < repeats; n++)
    best = Math.min(best, (await run({ ...job, rounds })).ms / rounds);
  return { ms: best, size: first.size };
}

// The records' own keys are their types.
const clients = Object.keys(clientFormats) as ClientFormatName[];
const providers = Object.keys(providerFormats) as FormatName[];
const row = (...cells: string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(11))).join("");
const micros = ({ ms, size }: Cost): string => ((ms * 1000) / size).toFixed(2);
const speed = ({ ms, size }: Cost): string => (size / 1000 / ms).toFixed(0);

console.log("streams: µs per event of the provider");
console.log(row("client <- provider", "events", "translated", "pumped", "relay pump"));
for (const provider of providers) {
  const relay = await cost({ kind: "pump", client: "chat", provider, relay: true });
  for (const client of clients) {
    if (client === provider) continue;
    const alone = await cost({ kind: "stream", client, provider, relay: false });
    const pumped = await cost({ kind: "pump", client, provider, relay: false });
    console.log(
      row(
        `${client} <- ${provider}`,
        String(alone.size),
        micros(alone),
        micros(pumped),
        micros(relay),
      ),
    );
  }
}

console.log("\nrequests: parse, translate, serialise");
console.log(row("client -> provider", "KB", "ms", "MB/s", "relay ms", "relay MB/s"));
for (const client of clients) {
  const relay = await cost({ kind: "request", client, provider: client, relay: true });
  for (const provider of providers) {
    if (client === provider) continue;
    const translated = await cost({ kind: "request", client, provider, relay: false });
    const kilobytes = (translated.size / 1000).toFixed(0);
    console.log(
      row(
        `${client} -> ${provider}`,
        kilobytes,
        translated.ms.toFixed(2),
        speed(translated),
        relay.ms.toFixed(2),
        speed(relay),
      ),
    );
  }
}
await host.dispose();
