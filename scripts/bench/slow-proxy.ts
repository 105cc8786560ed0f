/** A TCP proxy between a client and the gateway that behaves like a network: a delay each way, and so many bits a second. */
import net, { type AddressInfo, type Socket } from "node:net";

export interface SlowProxy {
  port: number;
  /** Since the start. */
  counts: { connections: number; bytesUp: number; upgrades: number };
  close(): Promise<void>;
}

export interface SlowLine {
  /** The gateway's port on loopback. */
  port: number;
  /** Milliseconds from one end to the other. */
  delay: number;
  /** Bits a second each way; no bound where it is missing. */
  rate?: number;
}

/** Starts one on a free port of loopback. */
export async function slowProxy(line: SlowLine): Promise<SlowProxy> {
  const counts = { connections: 0, bytesUp: 0, upgrades: 0 };
  const open = new Set<Socket>();
  const server = net.createServer((client) => {
    const gateway = net.connect(line.port, "127.0.0.1");
    counts.connections += 1;
    client.on("data", (bytes: Buffer) => {
      counts.bytesUp += bytes.length;
      if (/^GET \S+ HTTP\/1\.1\r\n[\s\S]*upgrade: websocket/i.test(bytes.toString("latin1")))
        counts.upgrades += 1;
    });
    for (const socket of [client, gateway]) {
      socket.setNoDelay(true);
      open.add(socket);
      socket.on("close", () => open.delete(socket));
    }
    carry(client, gateway, line);
    carry(gateway, client, line);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    counts,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Every piece leaves when those before it have, and arrives a delay later. */
function carry(from: Socket, to: Socket, { delay, rate }: SlowLine): void {
  let free = 0;
  const later = (size: number, action: () => void): void => {
    const now = performance.now();
    free = Math.max(free, now) + (rate === undefined ? 0 : (size * 8 * 1000) / rate);
    const wait = free + delay - now;
    if (wait < 1) action();
    else setTimeout(action, wait);
  };
  from.on("data", (bytes: Buffer) => later(bytes.length, () => void to.write(bytes)));
  from.on("end", () => later(0, () => to.end()));
  from.on("error", () => to.destroy());
  from.on("close", (broken) => {
    if (broken) to.destroy();
  });
}
