/** Browser tabs that read again and again, in a thread of their own: what they read must not delay the measuring. */
import { MessageChannel, Worker } from "node:worker_threads";

/** What one tab asks for. */
export interface ReaderTab {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What one tab read. */
export interface ReaderReport {
  /** Whole ones. */
  readonly answers: number;
  /** Of whole answers. */
  readonly bytes: number;
  /** Milliseconds of each answer. */
  readonly times: readonly number[];
}

/** Readers that run until they are stopped. */
export interface Readers {
  /** `whole`: each ends with the answer that it reads; else they break off. */
  stop(how: "whole" | "at once"): Promise<readonly ReaderReport[]>;
}

/** Starts one reader a tab. */
export async function startReaders(base: string, tabs: readonly ReaderTab[]): Promise<Readers> {
  if (tabs.length === 0) return { stop: async () => [] };
  const { port1: stopping, port2 } = new MessageChannel();
  const workerData = { base, tabs, stopped: port2 };
  const worker = new Worker(code, { eval: true, workerData, transferList: [port2] });
  const failed = new Promise<never>((_resolve, reject) => worker.once("error", reject));
  failed.catch(() => undefined);
  await Promise.race([new Promise((resolve) => worker.once("message", resolve)), failed]);
  return {
    async stop(how) {
      if (how === "at once") {
        await worker.terminate();
        return [];
      }
      const told = new Promise<readonly ReaderReport[]>((resolve) =>
        worker.once("message", resolve),
      );
      stopping.close();
      const reports = await Promise.race([told, failed]);
      await worker.terminate();
      return reports;
    },
  };
}

const code = `
  const { parentPort, workerData: { base, tabs, stopped: port } } = require("node:worker_threads");
  const http = require("node:http");
  let stopped = false;
  const agent = new http.Agent({ keepAlive: true });
  const ask = ({ path, headers }) => new Promise((resolve, reject) => {
    http.get(base + path, { headers, agent }, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => (bytes += chunk.length));
      response.on("end", () => response.statusCode === 200 ? resolve(bytes) : reject(new Error(path + ": " + response.statusCode)));
      response.on("error", reject);
    }).on("error", reject);
  });
  const read = async (tab) => {
    const report = { answers: 0, bytes: 0, times: [] };
    while (!stopped) {
      const begun = performance.now();
      report.bytes += await ask(tab);
      report.answers += 1;
      report.times.push(performance.now() - begun);
    }
    return report;
  };
  const reading = Promise.all(tabs.map(read));
  reading.catch((error) => { throw error; });
  port.once("close", async () => {
    stopped = true;
    parentPort.postMessage(await reading);
  });
  parentPort.postMessage("begun");
`;
