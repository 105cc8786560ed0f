import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { checkState } from "../../scripts/host/running/admin.ts";

/** A gateway of which only the answer to an admin request matters. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A listening TCP server has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function failure(code: string): string {
  return JSON.stringify({ error: { message: "what is wrong", type: "server_error", code } });
}

it("a start on a state that a newer version wrote fails with the gateway's own words", async () => {
  const base = await answering(500, failure("newer_state"));
  await expect(checkState(base, "token")).rejects.toThrow("what is wrong");
});

it.each([
  { name: "good", status: 200, body: "{}" },
  { name: "replaced token", status: 401, body: failure("admin_auth") },
  { name: "busy", status: 503, body: failure("overloaded") },
  { name: "other failure", status: 500, body: failure("internal_error") },
])("a start goes on after another answer: $name", async ({ status, body }) => {
  const base = await answering(status, body);
  await expect(checkState(base, "token")).resolves.toBeUndefined();
});
