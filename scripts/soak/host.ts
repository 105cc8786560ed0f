/** The product in workerd, as `npm start` runs it, in a folder of its own. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundleHost, type Edition, type HostModules } from "../host/build/bundle.ts";
import { hostConfig, modulesFolder, objectsFolder } from "../host/workerd/capnp.ts";
import { buildStaticFiles } from "../host/build/client.ts";
import { supervise } from "../host/workerd/supervise.ts";

export interface Host {
  base: string;
  adminToken: string;
  /** Ends workerd without a word; it is started again. */
  kill(): void;
  stop(): Promise<void>;
}

/** The header that stands for a reverse proxy's word about the client's address. */
export const addressHeader = "x-client-address";

/** How a host differs from the product. */
export interface HostOptions {
  /** Over those of variant A. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The benchmark edition has no limits of rate and concurrency. */
  readonly edition?: Edition;
  /** Text of a module that stands before the worker, which it imports as `./worker.js`. */
  readonly entry?: string;
}

/** Starts workerd on a free port. */
export async function startHost({
  settings = {},
  edition = "product",
  entry,
}: HostOptions = {}): Promise<Host> {
  const folder = mkdtempSync(path.join(tmpdir(), "gateway-soak-"));
  mkdirSync(path.join(folder, objectsFolder));
  const built = await bundleHost(await buildStaticFiles(), {
    folder: path.join(folder, modulesFolder),
    edition,
  });
  const modules = entry === undefined ? built : withEntry(built, entry);
  const values = {
    VARIANT: "A",
    MODE: "self-hosted",
    ADMIN_TOKEN: randomBytes(16).toString("hex"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    TRUSTED_IP_HEADER: addressHeader,
    ...settings,
  };
  const config = path.join(folder, "workerd.capnp");
  const environment = [...Object.keys(values), "BOOT_ID"];
  const plan = {
    folder,
    ...modules,
    environment,
    certificates: [],
    reach: "everywhere" as const,
  };
  writeFileSync(config, hostConfig({ ...plan, address: "127.0.0.1:0" }));
  // workerd's main module is an object whose `default` is the path of the binary for this platform.
  const workerd = createRequire(import.meta.url)("workerd") as { default: string };
  let running: number | undefined;
  const host = await supervise({
    binary: workerd.default,
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => ({ ...values, BOOT_ID: randomBytes(8).toString("hex") }),
    onSpawn: (pid) => (running = pid),
    log: () => undefined,
    output: "ignore",
  });
  return {
    base: `http://127.0.0.1:${host.port}`,
    adminToken: values.ADMIN_TOKEN,
    kill() {
      if (running !== undefined) process.kill(running, "SIGKILL");
    },
    async stop() {
      await host.stop(2000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same modules with another one before them. */
function withEntry(modules: HostModules, entry: string): HostModules {
  const workerFile = path.join(path.dirname(modules.workerFile), "entry.js");
  writeFileSync(workerFile, entry);
  return { ...modules, workerFile, chunkFiles: [modules.workerFile, ...modules.chunkFiles] };
}
