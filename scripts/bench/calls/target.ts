/** Where requests of a benchmark go, and their bytes. */

/** A server under measurement. */
export interface Target {
  readonly port: number;
  readonly path: string;
  /** Keys in turn, one a request: limits hold each workspace. */
  readonly keys: readonly string[];
  readonly model: string;
  /** Of the process whose CPU is counted; undefined where it is not. */
  readonly pid: number | undefined;
  /** The header in which every request tells another address. */
  readonly addressHeader?: string;
}

/** Streams as `provider.ts` understands them. */
export const paced = "[[events=60,gap=5,burst=1]]";
export const bulk = "[[events=400,gap=0,burst=20]]";

/** What a request asks: so many bytes of text, streamed where `stream` says how. */
export interface Asked {
  readonly size: number;
  readonly stream?: string;
}

const addresses = 1 << 22;

/** Makes the requests of a target, each the next in the turn of its keys and addresses. */
export function requestsOf(target: Target): (asked: Asked) => Buffer {
  const bodies = new Map<string, string>();
  let turn = 0;
  return (asked) => {
    const name = `${asked.size} ${asked.stream ?? ""}`;
    const body = bodies.get(name) ?? bodyOf(target, asked);
    bodies.set(name, body);
    turn = (turn + 1) % addresses;
    return Buffer.from(headOf(target, turn, body.length) + body);
  };
}

function bodyOf({ model }: Target, { size, stream }: Asked): string {
  const text = `${stream ?? ""} ${'Say "something".\n'.repeat(Math.ceil(size / 17))}`;
  const messages = [{ role: "user", content: text }];
  return JSON.stringify({
    model,
    ...(stream !== undefined && { stream: true }),
    max_tokens: 100,
    messages,
  });
}

function headOf(target: Target, turn: number, length: number): string {
  const { port, path, keys, addressHeader } = target;
  const address = `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}`;
  const told = addressHeader === undefined ? "" : `${addressHeader}: ${address}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${keys[turn % keys.length]}\r\n${told}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}
