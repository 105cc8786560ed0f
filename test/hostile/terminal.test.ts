/** What a gateway of somebody else's answers is printed at a terminal: as words, never as commands to it. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { download } from "../../scripts/host/backup/backup-transfer.ts";
import { adminOf } from "../../scripts/host/running/admin.ts";
import { printable } from "../../scripts/host/printable.ts";
import { sendTestRequest } from "../../scripts/host/running/test-request.ts";

/** Sets the title, clears the screen, turns the direction of text round, and begins an 8-bit sequence. */
const commands = "\u001B]0;owned\u0007\u001B[2J\r\u202Egnp.\u009B31m";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A listening TCP server has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// Everything that controls a terminal, but for what lines are made of.
const control = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;

describe("a hostile gateway's words", () => {
  it("name a model, or an error, without commands to the terminal", async () => {
    const ask = async (base: string) =>
      await sendTestRequest({ format: "chat", base, key: "k", model: "auto" });
    const served = await ask(await answering(200, JSON.stringify({ model: commands })));
    const refused = await ask(
      await answering(500, JSON.stringify({ error: { message: commands } })),
    );
    expect(JSON.stringify(served)).toContain("owned");
    expect(served.ok && served.model).not.toMatch(control);
    expect(!refused.ok && refused.message).not.toMatch(control);
    expect(!refused.ok && refused.message).toContain("owned");
  });

  it("are as harmless in errors of the admin API", async () => {
    const admin = adminOf(await answering(500, commands), "token");
    const error = await admin.get("/api/config").catch(String);
    expect(error).toContain("owned");
    expect(error).not.toMatch(control);
  });

  it.each([commands, JSON.stringify({ error: { message: commands } })])(
    "are as harmless where it refuses a backup: %j",
    async (body) => {
      const gateway = {
        base: await answering(500, body),
        token: "token",
        close: async () => undefined,
      };
      const transfer = {
        gateway,
        workspace: undefined,
        passphrase: "p",
        progress: () => undefined,
      };
      const error = await download(transfer, "/nowhere").catch(String);
      expect(error).toContain("owned");
      expect(error).not.toMatch(control);
    },
  );

  it("keep what people write", () => {
    expect(printable("Grüße, 你好 👋🏽\n\tok")).toBe("Grüße, 你好 👋🏽\n\tok");
  });
});
