/** A WebSocket client of few words over Node's own sockets: text frames, and whatever bytes a test wants to send. */
import { randomBytes } from "node:crypto";
import http from "node:http";
import type { Socket } from "node:net";

export interface SocketClient {
  send(text: string): void;
  /** The next event; undefined once the connection is closed. */
  next(): Promise<Event | undefined>;
  /** The next event of one of these types. */
  until(...types: string[]): Promise<Event | undefined>;
  /** With which the gateway closed it; undefined while it is open, or where it said none. */
  code(): number | undefined;
  connection: Socket;
}

/** What a frame says. */
export interface Event {
  type: string;
  [member: string]: unknown;
}

export interface SocketAddress {
  port: number;
  path?: string;
  headers: Record<string, string>;
}

/** Opens one. Throws with the status where the gateway refuses. */
export function openSocket({ port, path, headers }: SocketAddress): Promise<SocketClient> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: "127.0.0.1",
      port,
      path: path ?? "/v1/responses",
      agent: false,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": randomBytes(16).toString("base64"),
        ...headers,
      },
    });
    request.on("upgrade", (_response, connection: Socket, head) =>
      resolve(client(connection, head)),
    );
    request.on("response", (response) => {
      response.resume();
      reject(new Error(`the upgrade was answered with ${response.statusCode}`));
    });
    request.on("error", reject);
    request.end();
  });
}

function client(connection: Socket, head: Buffer): SocketClient {
  connection.setNoDelay(true);
  const events: Event[] = [];
  let waiting: Buffer = head;
  const end: { code?: number; closed?: true } = {};
  let wake = (): void => undefined;
  const read = (): void => {
    for (let frame = firstFrame(waiting); frame !== undefined; frame = firstFrame(waiting)) {
      waiting = waiting.subarray(frame.end);
      // Frames of the gateway are JSON objects with a type.
      if (frame.opcode === 1) events.push(JSON.parse(frame.payload.toString()) as Event);
      if (frame.opcode === 8) end.code = frame.payload.readUInt16BE(0);
    }
    wake();
  };
  connection.on("data", (bytes: Buffer) => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    read();
  });
  connection.on("error", () => undefined);
  connection.on("close", () => {
    end.closed = true;
    wake();
  });
  read();
  const next = async (): Promise<Event | undefined> => {
    while (events.length === 0 && end.closed !== true && end.code === undefined)
      await new Promise<void>((resolve) => (wake = resolve));
    return events.shift();
  };
  return {
    connection,
    next,
    code: () => end.code,
    send: (text) => void connection.write(maskedFrame(Buffer.from(text))),
    async until(...types) {
      for (let event = await next(); event !== undefined; event = await next())
        if (types.includes(event.type)) return event;
      return undefined;
    },
  };
}

/** The first frame in these bytes, if it is whole. */
function firstFrame(bytes: Buffer): { opcode: number; payload: Buffer; end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 127;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
        ? bytes.readUInt16BE(2)
        : short;
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { opcode: bytes.readUInt8(0) & 15, payload: bytes.subarray(start, end), end };
}

/** A text frame as clients send it: masked. */
function maskedFrame(payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const head = Buffer.alloc(10);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0xff, 1);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  const masked = Buffer.from(payload);
  for (let at = 0; at < masked.length; at++)
    masked.writeUInt8(masked.readUInt8(at) ^ mask.readUInt8(at & 3), at);
  return Buffer.concat([head, mask, masked]);
}
