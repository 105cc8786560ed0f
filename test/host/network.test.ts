/** Which addresses workerd lets the worker reach, whatever name leads there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { bundleServices } from "../../scripts/host/build/bundle.ts";
import { hostConfig, objectsFolder } from "../../scripts/host/workerd/capnp.ts";
import { supervise, workerdBinary } from "../../scripts/host/workerd/supervise.ts";
import type { Reach } from "../../src/store/env.ts";

const probe = `
import { DurableObject } from "cloudflare:workers";
export class WorkspaceObject extends DurableObject {}
export class IpObject extends DurableObject {}
export class DirectoryObject extends DurableObject {}
export default { async fetch(request) {
  try { return await fetch(await request.text()); } catch { return new Response(null, { status: 599 }); }
} };`;

let neighbour: Server;

beforeAll(async () => {
  neighbour = createServer((_, answer) => answer.end("hello"));
  await new Promise<void>((resolve) => neighbour.listen(0, "127.0.0.1", () => resolve()));
});

afterAll(() => void neighbour.close());

async function worker(reach: Reach): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  mkdirSync(path.join(folder, objectsFolder));
  const workerFile = path.join(folder, "probe.js");
  const config = path.join(folder, "workerd.capnp");
  const address = "127.0.0.1:0";
  const services = await bundleServices();
  writeFileSync(workerFile, probe);
  const plan = {
    folder,
    workerFile,
    ...services,
    environment: [],
    certificates: [],
    reach,
    address,
  };
  writeFileSync(config, hostConfig(plan));
  const runtime = await supervise({
    binary: workerdBinary(),
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => ({}),
    onSpawn: () => undefined,
    log: () => undefined,
    output: "ignore",
  });
  onTestFinished(async () => {
    await runtime.stop(1000);
    rmSync(folder, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${runtime.port}`;
}

it.each([
  ["public", 599],
  ["everywhere", 200],
] as const)("a name of this machine, with the reach %s: %s", async (reach, status) => {
  const base = await worker(reach);
  // A listening TCP server has such an address.
  const { port } = neighbour.address() as AddressInfo;
  for (const host of ["localhost", "127.0.0.1"]) {
    const answer = await fetch(base, { method: "POST", body: `http://${host}:${port}/` });
    expect(answer.status).toBe(status);
  }
});
