import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleServices } from "../../scripts/host/build/bundle.ts";
import { hostConfig, objectsFolder } from "../../scripts/host/workerd/capnp.ts";
import { supervise, workerdBinary, type Supervised } from "../../scripts/host/workerd/supervise.ts";

/** Runs whatever the test sends, with the KV binding in its hands. */
const probe = `
import { DurableObject } from "cloudflare:workers";
export class WorkspaceObject extends DurableObject {}
export class IpObject extends DurableObject {}
export class DirectoryObject extends DurableObject {}
export default { async fetch(request, env) {
  const [method, ...args] = await request.json();
  return Response.json({ value: await env.KV[method](...args), greeting: env.GREETING });
} };`;

let folder: string;
let runtime: Supervised;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  mkdirSync(path.join(folder, objectsFolder));
  const workerFile = path.join(folder, "probe.js");
  writeFileSync(workerFile, probe);
  const config = path.join(folder, "workerd.capnp");
  const services = await bundleServices();
  const address = "127.0.0.1:0";
  writeFileSync(
    config,
    hostConfig({
      folder,
      workerFile,
      ...services,
      environment: ["GREETING"],
      certificates: [],
      reach: "everywhere",
      address,
    }),
  );
  runtime = await supervise({
    binary: workerdBinary(),
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => ({ GREETING: 'quo"ted' }),
    onSpawn: () => undefined,
    log: () => undefined,
    output: "inherit",
  });
}, 30_000);

afterAll(async () => {
  await runtime.stop(1000);
  rmSync(folder, { recursive: true, force: true });
});

async function call(
  method: string,
  ...args: unknown[]
): Promise<{ value: unknown; greeting: string }> {
  const body = JSON.stringify([method, ...args]);
  const answer = await fetch(`http://127.0.0.1:${runtime.port}`, { method: "POST", body });
  // Written by the probe above.
  return (await answer.json()) as { value: unknown; greeting: string };
}

const kv = async (method: string, ...args: unknown[]) => (await call(method, ...args)).value;

describe("the launcher's KV namespace", () => {
  it("keeps values under any name, and knows what it does not have", async () => {
    const name = "key:a/b c?%ü#1";
    await kv("put", name, "wärde 世界");
    expect(await kv("get", name)).toBe("wärde 世界");
    expect(await kv("get", "another")).toBeNull();
    await kv("put", name, '{"a":1}');
    expect(await kv("get", name, "json")).toEqual({ a: 1 });
    await kv("delete", name);
    expect(await kv("get", name)).toBeNull();
  });

  it("gives metadata back", async () => {
    await kv("put", "with", "value", { metadata: { at: 5 } });
    expect(await kv("getWithMetadata", "with")).toMatchObject({
      value: "value",
      metadata: { at: 5 },
    });
  });

  it("lists by prefix in order, page by page, and not what has expired", async () => {
    for (const name of ["p:3", "p:1", "p:2", "q:1"]) await kv("put", name, name);
    await kv("put", "p:0", "gone", { expiration: Math.floor(Date.now() / 1000) + 1 });
    await expect.poll(() => kv("get", "p:0"), { timeout: 5000 }).toBeNull();
    const first = await kv("list", { prefix: "p:", limit: 2 });
    expect(first).toMatchObject({ keys: [{ name: "p:1" }, { name: "p:2" }], list_complete: false });
    // The shape that was just checked.
    const { cursor } = first as { cursor: string };
    const second = await kv("list", { prefix: "p:", limit: 2, cursor });
    expect(second).toMatchObject({ keys: [{ name: "p:3" }], list_complete: true });
  });

  it("tells when a value expires", async () => {
    const expiration = Math.floor(Date.now() / 1000) + 3600;
    await kv("put", "later", "x", { expiration });
    expect(await kv("list", { prefix: "later" })).toMatchObject({
      keys: [{ name: "later", expiration }],
    });
  });

  it("the worker's settings come from the environment as they are", async () => {
    expect((await call("get", "x")).greeting).toBe('quo"ted');
  });
});
