/** Servers that are looked at may be anybody's: none holds a look for longer than one that is silent. */
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { lookAt } from "../../scripts/host/server-check.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers a handshake with the beginning of a long record, and then a byte of it every half second. */
async function dribbling(): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(Buffer.from([22, 3, 3, 0x40, 0, 2, 0, 0x3f, 0xfc]));
    const timer = setInterval(() => socket.write(Buffer.from([0])), 500);
    socket.on("close", () => clearInterval(timer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A listening TCP server has such an address.
  return (server.address() as AddressInfo).port;
}

describe("a server that never comes to the end of its handshake", () => {
  it.for([
    [true, "timeout"],
    [false, "open"],
  ] as const)("is given up (TLS meant: %s)", { timeout: 20_000 }, async ([secure, finding]) => {
    const port = await dribbling();
    const question = { host: "127.0.0.1", port, secure, reach: "everywhere" } as const;
    expect(await lookAt(question)).toBe(finding);
  });

  it("tells nothing of private addresses to whom they are closed", async () => {
    const port = await dribbling();
    for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "::1", "::ffff:127.0.0.1", "fd00::1"])
      expect(await lookAt({ host, port, secure: true, reach: "public" })).toBe("private_address");
  });
});
