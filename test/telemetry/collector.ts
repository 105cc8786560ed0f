/** A collector's stand-in: takes exports, or behaves badly. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import {
  readMetrics,
  readTraces,
  type ReadMetric,
  type ReadMetrics,
  type ReadSpan,
  type ReadTraces,
} from "./otlp-reader.ts";

export interface Export {
  path: string;
  headers: IncomingMessage["headers"];
  /** As it came. */
  raw: Buffer;
  /** Unpacked. */
  body: Buffer;
}

/** How it answers: in full, not at all, or with this status, headers and body. */
export type Manner =
  | "take"
  | "hang"
  | { status: number; headers?: Record<string, string>; body?: Uint8Array | string };

export class Collector {
  readonly exports: Export[] = [];
  manner: Manner = "take";
  readonly #server = createServer((request, response) => this.#hear(request, response));

  static async open(port = 0): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) =>
      collector.#server.listen(port, "127.0.0.1", () => resolve()),
    );
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Every span that came, in the order of their coming. */
  spans(): ReadSpan[] {
    return this.traces().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  traces(): ReadTraces[] {
    return this.#of("/v1/traces").map((each) =>
      isJson(each) ? (JSON.parse(each.body.toString()) as ReadTraces) : readTraces(each.body),
    );
  }

  metrics(): ReadMetric[] {
    return this.#of("/v1/metrics")
      .map((each) =>
        isJson(each) ? (JSON.parse(each.body.toString()) as ReadMetrics) : readMetrics(each.body),
      )
      .flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics),
        ),
      );
  }

  /** The spans of the trace once there are so many. */
  async trace(traceId: string, count: number): Promise<ReadSpan[]> {
    for (let tries = 0; tries < 200; tries += 1) {
      const spans = this.spans().filter((span) => span.traceId === traceId);
      if (spans.length >= count) return spans;
      await sleep(50);
    }
    throw new Error(`the trace ${traceId} did not come: ${JSON.stringify(this.spans())}`);
  }

  #of(path: string): Export[] {
    return this.exports.filter((each) => each.path === path);
  }

  #hear(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    // A client that gives up is part of what is tested.
    request.on("error", () => undefined);
    request.on("end", () => {
      const raw = Buffer.concat(parts);
      const packed = request.headers["content-encoding"] === "gzip";
      const body = packed ? gunzipSync(raw) : raw;
      const path = request.url ?? "";
      this.exports.push({ path, headers: request.headers, raw, body });
      if (this.manner === "hang") return;
      const {
        status,
        headers = {},
        body: answer = "",
      } = this.manner === "take" ? { status: 200 } : this.manner;
      response.writeHead(status, headers).end(answer);
    });
  }
}

function isJson({ headers }: Export): boolean {
  return headers["content-type"] === "application/json";
}
