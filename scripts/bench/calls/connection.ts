/** A client of few instructions, so that what is measured is the server: one kept connection, prepared requests. */
import net from "node:net";

/** What came of one request; times in microseconds. */
export interface Answered {
  readonly total: number;
  readonly firstByte: number;
  /** How long after it was written each event of a stream arrived. */
  readonly delays: readonly number[];
}

export interface Connection {
  /** Sends the bytes of a request. Throws where the answer's status is not 200. */
  send(request: Buffer): Promise<Answered>;
  close(): void;
}

/** Microseconds of the machine's monotonic clock. */
export function microseconds(): number {
  return Number(process.hrtime.bigint()) / 1000;
}

/** An answer that is being read. */
interface Reading {
  readonly since: number;
  readonly delays: number[];
  head: string;
  /** Undefined until the head is whole. */
  status: number | undefined;
  /** Bytes of the body; -1 for one in chunks. */
  length: number;
  got: number;
  firstByte: number;
  tail: string;
  resolve(answered: Answered): void;
  reject(error: Error): void;
}

/** Opens one. */
export function connect(port: number): Connection {
  const socket = net.connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  let reading: Reading | undefined;
  const fail = (error: Error): void => reading?.reject(error);
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection was closed")));
  socket.on("data", (bytes: Buffer) => {
    if (reading === undefined) return;
    if (!take(reading, bytes)) return;
    const done = reading;
    reading = undefined;
    finish(done);
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        reading = { ...nothingRead(), resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function nothingRead(): Omit<Reading, "resolve" | "reject"> {
  const times = { since: microseconds(), firstByte: 0, delays: [] };
  return { ...times, head: "", status: undefined, length: -1, got: 0, tail: "" };
}

/** Whether the answer is whole with these bytes. */
function take(reading: Reading, bytes: Buffer): boolean {
  const at = microseconds();
  const body = reading.status === undefined ? bodyBehindHead(reading, bytes) : bytes;
  if (body === undefined) return false;
  if (body.length > 0 && reading.firstByte === 0) reading.firstByte = at - reading.since;
  reading.got += body.length;
  const text = reading.tail + body.toString("latin1");
  let last = 0;
  for (const found of text.matchAll(/@(\d+)@/g)) {
    reading.delays.push(at - Number(found[1]));
    last = found.index + found[0].length;
  }
  reading.tail = text.slice(Math.max(last, text.length - 40));
  return reading.length < 0 ? text.endsWith("0\r\n\r\n") : reading.got >= reading.length;
}

/** Reads the head; the bytes behind it once it is whole. */
function bodyBehindHead(reading: Reading, bytes: Buffer): Buffer | undefined {
  reading.head += bytes.toString("latin1");
  const end = reading.head.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  reading.status = Number(reading.head.slice(9, 12));
  const length = /\r\ncontent-length: (\d+)/i.exec(reading.head.slice(0, end))?.[1];
  reading.length = length === undefined ? -1 : Number(length);
  return Buffer.from(reading.head.slice(end + 4), "latin1");
}

function finish({ since, firstByte, delays, status, head, resolve, reject }: Reading): void {
  if (status === 200) resolve({ total: microseconds() - since, firstByte, delays });
  else reject(new Error(`status ${status}: ${head.slice(-300)}`));
}
