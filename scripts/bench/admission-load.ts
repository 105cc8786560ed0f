/** Sends the same request again and again over kept connections, and times every answer. */
import { connect, type Socket } from "node:net";

export interface Load {
  port: number;
  path: string;
  authorization: string;
  body: string;
  /** Connections, each with one request under way. */
  parallel: number;
  /** Milliseconds. */
  duration: number;
}

export interface Timing {
  /** Microseconds of every answer, ascending. */
  times: number[];
  perSecond: number;
}

export async function run(load: Load): Promise<Timing> {
  const request = Buffer.from(
    `POST ${load.path} HTTP/1.1\r\nhost: bench\r\nauthorization: ${load.authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(load.body)}\r\n\r\n${load.body}`,
  );
  const times: number[] = [];
  const begun = performance.now();
  const end = begun + load.duration;
  await Promise.all(
    Array.from({ length: load.parallel }, async () => {
      const socket = connect(load.port, "127.0.0.1");
      socket.setNoDelay(true);
      try {
        while (performance.now() < end) times.push(await once(socket, request));
      } finally {
        socket.destroy();
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  return {
    times: times.toSorted((left, right) => left - right),
    perSecond: times.length / seconds,
  };
}

/** Microseconds until the whole answer is there. Throws on anything but 200. */
function once(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    let text = "";
    const onData = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      if (!isWhole(text)) return;
      socket.off("data", onData);
      socket.off("error", reject);
      if (text.startsWith("HTTP/1.1 200")) resolve((performance.now() - begun) * 1000);
      else reject(new Error(text.slice(0, 300)));
    };
    socket.on("data", onData);
    socket.once("error", reject);
    socket.write(request);
  });
}

function isWhole(text: string): boolean {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return false;
  if (/\r\ntransfer-encoding: chunked/i.test(text.slice(0, head)))
    return text.endsWith("0\r\n\r\n");
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  return length !== undefined && text.length - head - 4 >= Number(length);
}

export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;
}
