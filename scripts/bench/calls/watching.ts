/** A gateway that tells of everything that it does, and those who listen. */
import { Worker } from "node:worker_threads";
import { adminOf } from "../../host/running/admin.ts";
import { startGateway, type Gateway } from "./gateway.ts";

/** Milliseconds between two scrapes of the metrics. */
const scrapeInterval = 1000;

export interface Watching {
  readonly gateway: Gateway;
  stop(): Promise<void>;
}

/** Starts it, with a collector of traces, a webhook's receiver and a scraper. */
export async function startWatching(folder: string): Promise<Watching> {
  const collector = await startCollector();
  const gateway = await startGateway(folder, {
    name: "watched",
    edition: "bench",
    settings: { LOG: "all", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  await adminOf(gateway.base, gateway.adminToken).post("/api/webhooks", {
    url: `${collector.url}/webhook`,
    events: ["limit.near", "limit.reached", "provider.down", "key.created"],
  });
  const scraping = scrape(gateway);
  return {
    gateway,
    async stop() {
      clearInterval(scraping);
      await gateway.stop();
      await collector.worker.terminate();
    },
  };
}

/** Takes whatever is sent to it, in a thread of its own. */
async function startCollector(): Promise<{ worker: Worker; url: string }> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const server = require("node:http").createServer((request, response) => {
      request.resume();
      request.once("end", () => response.writeHead(200).end());
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  return { worker, url: `http://127.0.0.1:${port}` };
}

function scrape({ base, adminToken }: Gateway): ReturnType<typeof setInterval> {
  const headers = { authorization: `Bearer ${adminToken}` };
  return setInterval(() => {
    fetch(`${base}/metrics`, { headers }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  }, scrapeInterval);
}
