/** `npm start`: the built worker in workerd, under one launcher. `--bench` is `npm run dev:bench`. */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { adminOf, untilHealthy } from "./host/admin.ts";
import { bundleKvService, bundleWorker } from "./host/bundle.ts";
import { hostConfig, objectsFolder } from "./host/capnp.ts";
import { trustedCertificates } from "./host/certificates.ts";
import { makeDevVars } from "./host/dev-vars.ts";
import { takeLock, type StateLock } from "./host/lock.ts";
import {
  bracketed,
  isLoopback,
  localUrl,
  readOptions,
  usage,
  type StartOptions,
} from "./host/options.ts";
import { devVarsFile } from "./host/paths.ts";
import { secretInEnvironment, settingValues } from "./host/settings.ts";
import { setUp, type SetupOptions } from "./host/setup.ts";
import { supervise, workerdBinary, type Supervised } from "./host/supervise.ts";

/** How long running answers may take to finish after a signal. */
const drainPatience = 60_000;
/** So long before the end streams that still run are told of it, and so long the telling may take, in ms. */
const farewell = 3000;
/** npm passes on a Ctrl-C that the terminal has sent already: signals so close together are one. */
const oneSignal = 1000;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return console.log(usage);
  const folder = path.resolve(options.state);
  mkdirSync(folder, { recursive: true });
  const answer = await takeLock(folder);
  if (!answer.held) {
    throw new Error(
      `${options.state} is already in use by a running gateway (process ${answer.owner})`,
    );
  }
  if (answer.orphan)
    console.warn(`ended workerd ${answer.orphan.pid}, left over from a launcher that was killed`);
  try {
    await serve(options, folder, answer.lock);
  } catch (error) {
    answer.lock.release();
    throw error;
  }
}

async function serve(options: StartOptions, folder: string, lock: StateLock): Promise<void> {
  makeDevVars(devVarsFile);
  const values = settingValues();
  if (options.bench) rmSync(path.join(folder, objectsFolder), { recursive: true, force: true });
  mkdirSync(path.join(folder, objectsFolder), { recursive: true });
  const [workerFile, kvFile] = await Promise.all([
    bundleWorker(options.bench ? "bench" : "product"),
    bundleKvService(),
  ]);
  const host = bracketed(options.host);
  const config = path.join(folder, "workerd.capnp");
  const environment = [...Object.keys(values), "BOOT_ID", "LISTEN_HOST"];
  const address = `${host}:${options.port}`;
  const certificates = trustedCertificates(process.env);
  writeFileSync(
    config,
    hostConfig({ folder, workerFile, kvFile, environment, certificates, address }),
  );

  const running: Running = { adminToken: values["ADMIN_TOKEN"] ?? "" };
  stopOnSignal(running, lock);
  const gateway = await supervise({
    binary: workerdBinary(),
    config,
    host,
    port: options.port,
    environment: () => ({
      ...values,
      BOOT_ID: randomBytes(16).toString("hex"),
      LISTEN_HOST: options.host,
    }),
    onSpawn: (pid) => {
      running.pid = pid;
      lock.note(pid);
    },
    log: (line) => console.error(line),
    output: options.bench ? "ignore" : "inherit",
  });
  running.gateway = gateway;
  const base = localUrl(options.host, gateway.port);
  running.base = base;
  try {
    await untilHealthy(base);
  } catch (error) {
    await gateway.stop(0);
    throw error;
  }
  warnIfOpen(options.host);
  if (options.bench)
    console.log(`ready on ${base} (no rate or concurrency limits; state is discarded)`);
  else
    await greet({
      base,
      folder,
      adminToken: values["ADMIN_TOKEN"] ?? "",
      tokenPlace:
        secretInEnvironment("ADMIN_TOKEN") === undefined
          ? { kind: "file", file: devVarsFile }
          : { kind: "environment" },
      importEnv: options.importEnv,
    });
}

/** A gateway that serves goes on serving, also where its set-up could not be finished. */
async function greet(options: SetupOptions): Promise<void> {
  try {
    console.log(await setUp(options));
  } catch (error) {
    console.log(`Gateway        ${options.base}/v1`);
    console.error(`Setup failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What there is to stop: the process from its first moment, the supervisor once the gateway listens. */
interface Running {
  pid?: number;
  gateway?: Supervised;
  /** Where it listens. */
  base?: string;
  readonly adminToken: string;
}

/** Lets streams end with an error event before the process is ended; one that cannot be told breaks off. */
async function announceEnd({ base, adminToken }: Running): Promise<void> {
  if (base === undefined) return;
  const seconds = (drainPatience - farewell) / 1000;
  const told = adminOf(base, adminToken).post("/api/drain", { seconds });
  await Promise.race([told.catch(() => undefined), sleep(farewell)]);
}

function stopOnSignal(running: Running, lock: StateLock): void {
  let first: number | undefined;
  const stop = async (patience: number): Promise<void> => {
    if (patience > 0) await announceEnd(running);
    if (running.gateway) await running.gateway.stop(patience);
    else if (running.pid !== undefined) process.kill(running.pid, "SIGTERM");
    lock.release();
    process.exit(0);
  };
  const onSignal = (): void => {
    if (first !== undefined && Date.now() - first < oneSignal) return;
    const patience = first === undefined ? drainPatience : 0;
    first ??= Date.now();
    void stop(patience);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, onSignal);
}

function warnIfOpen(host: string): void {
  if (isLoopback(host)) return;
  console.warn(`Warning: listening on ${host}, reachable from other machines over plain HTTP.`);
  console.warn(
    "Put a reverse proxy with TLS in front and set TRUSTED_IP_HEADER to the header that it writes.",
  );
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
