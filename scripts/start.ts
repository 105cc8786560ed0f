/** `npm start`: the built worker in workerd, under one launcher. `--bench` is `npm run dev:bench`. */
import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkDeployment } from "../src/store/deployment.ts";
import { modeOf, settingsOf } from "../src/store/env.ts";
import { adminOf, checkState, untilHealthy } from "./host/admin.ts";
import { bundleHost } from "./host/bundle.ts";
import { hostConfig, modulesFolder, objectsFolder } from "./host/capnp.ts";
import { trustedCertificates } from "./host/certificates.ts";
import { buildStaticFiles } from "./host/client.ts";
import { descriptorLimit } from "./host/descriptors.ts";
import { makeDevVars } from "./host/dev-vars.ts";
import { isLockSocket } from "./host/lock-socket.ts";
import { lockRecord, takeLock, type LockAnswer, type StateLock } from "./host/lock.ts";
import {
  bracketed,
  defaultState,
  isLoopback,
  localUrl,
  readOptions,
  usage,
  type StartOptions,
} from "./host/options.ts";
import { devVarsFile } from "./host/paths.ts";
import { narrowFile, narrowFolder, ownerOnly } from "./host/private-files.ts";
import type { ChosenSecrets, SecretOrigin } from "./host/secrets.ts";
import { settingValues } from "./host/settings.ts";
import { firstStartNote, setUp, type SetupOptions } from "./host/setup.ts";
import {
  differingLines,
  keepSecrets,
  readSecrets,
  secretsFile,
  secretsOf,
} from "./host/state-secrets.ts";
import { supervise, workerdBinary, type Supervised } from "./host/supervise.ts";
import type { TokenPlace } from "./host/welcome.ts";

/** How long running answers may take to finish after a signal. */
const drainPatience = 60_000;
/** So long before the end streams that still run are told of it, and so long the telling may take, in ms. */
const farewell = 3000;
/** npm passes on a Ctrl-C that the terminal has sent already: signals so close together are one. */
const oneSignal = 1000;
const configFile = "workerd.capnp";

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return console.log(usage);
  const descriptors = descriptorLimit();
  mkdirSync(options.state, { recursive: true, mode: ownerOnly.folder });
  const folder = realpathSync(options.state);
  const lock = heldLock(await takeLock(folder), options.state);
  try {
    await serve({ options, folder, lock, descriptors });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Throws, in words for the user, when another gateway holds it. */
function heldLock(answer: LockAnswer, shown: string): StateLock {
  if (!answer.held) {
    const where =
      answer.owner === undefined
        ? "in another container, or a process that this one cannot see"
        : `process ${answer.owner}`;
    throw new Error(`${shown} is already in use by a running gateway (${where})`);
  }
  if (answer.orphan)
    console.warn(`ended workerd ${answer.orphan.pid}, left over from a launcher that was killed`);
  return answer.lock;
}

/** What a start has settled before it makes anything. */
interface Start {
  options: StartOptions;
  folder: string;
  lock: StateLock;
  /** How many files and connections workerd may hold open. */
  descriptors: number;
}

async function serve(start: Start): Promise<void> {
  const { options, folder, lock } = start;
  const prepared = prepare(start);
  const config = await writeConfig(start, prepared);
  const running: Running = { hostToken: prepared.hostToken };
  stopOnSignal(running, lock);
  const gateway = await supervise({
    binary: workerdBinary(),
    config,
    host: bracketed(options.host),
    port: options.port,
    ...(lock.descriptor !== undefined && { inherits: lock.descriptor }),
    environment: () => ({ ...prepared.values, BOOT_ID: randomBytes(16).toString("hex") }),
    onSpawn: (pid) => {
      running.pid = pid;
      lock.note(pid);
    },
    log: (line) => console.error(line),
    output: options.bench ? "ignore" : "inherit",
    ...(options.inspector !== undefined && { inspector: options.inspector }),
  });
  running.gateway = gateway;
  const base = localUrl(options.host, gateway.port);
  running.base = base;
  try {
    await untilHealthy(base);
    await checkState(base, running.hostToken);
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
      admin: administrator(prepared.secrets, folder),
      importEnv: options.importEnv,
    });
}

/** What workerd is started with. */
interface Prepared {
  /** The worker's settings and secrets, by their names. */
  values: Record<string, string>;
  secrets: ChosenSecrets;
  /** What this launcher itself calls the admin API with: the administrator's token may be replaced, or there is none. */
  hostToken: string;
}

/** Reads settings and secrets, and makes the state folder complete and private. Throws what is meant for the user. */
function prepare({ options, folder, descriptors }: Start): Prepared {
  const objects = path.join(folder, objectsFolder);
  if (options.bench) discard(objects, folder);
  const places = { folder, devVars: devVarsFile };
  const settings = settingValues(devVarsFile);
  const cloud = modeOf(settings) === "cloud";
  const secrets = secretsOf(places, { renew: options.newSecrets, cloud });
  const values: Record<string, string> = { ...settings, ...secrets.values };
  checkDeployment(values);
  if (!options.bench) keepSecrets(folder, secrets);
  mkdirSync(objects, { recursive: true, mode: ownerOnly.folder });
  const told = [narrowFolder(folder, isOurs), narrowFile(devVarsFile)].flat();
  for (const line of [...differingLines(secrets, places), ...told]) console.warn(line);
  const hostToken = randomBytes(32).toString("base64url");
  const facts = {
    DESCRIPTOR_LIMIT: String(descriptors),
    LISTEN_HOST: options.host,
    HOST_TOKEN: hostToken,
  };
  return { values: { ...values, ...facts }, secrets, hostToken };
}

/** Nothing of a benchmark's state is kept: its secrets are those of development, in `.dev.vars`. */
function discard(objects: string, folder: string): void {
  rmSync(objects, { recursive: true, force: true });
  rmSync(secretsFile(folder), { force: true });
  makeDevVars(devVarsFile, readSecrets(secretsFile(defaultState)));
}

/** Builds the worker and writes workerd's configuration. Returns the file. */
async function writeConfig({ options, folder }: Start, { values }: Prepared): Promise<string> {
  const modules = await bundleHost(await buildStaticFiles(), {
    folder: path.join(folder, modulesFolder),
    edition: options.bench ? "bench" : "product",
  });
  const config = path.join(folder, configFile);
  const text = hostConfig({
    folder,
    ...modules,
    environment: [...Object.keys(values), "BOOT_ID"],
    certificates: trustedCertificates(process.env),
    reach: settingsOf(values).reach,
    address: `${bracketed(options.host)}:${options.port}`,
  });
  writeFileSync(config, text, { mode: ownerOnly.file });
  return config;
}

/** Whether the entry of the state folder is one that the gateway makes. */
function isOurs(name: string): boolean {
  const files = [
    objectsFolder,
    modulesFolder,
    configFile,
    lockRecord,
    firstStartNote,
    path.basename(secretsFile("")),
  ];
  return files.includes(name) || isLockSocket(name);
}

/** The administrator's token and where it was found; undefined where people sign in and there is none. */
function administrator(
  { values, origins }: ChosenSecrets,
  folder: string,
): SetupOptions["admin"] | undefined {
  const { ADMIN_TOKEN: token } = values;
  if (token === undefined) return undefined;
  return { token, place: placeOf(origins.ADMIN_TOKEN ?? "made", folder) };
}

function placeOf(origin: SecretOrigin, folder: string): TokenPlace {
  switch (origin) {
    case "environment":
      return { kind: "environment" };
    case "dev-vars":
      return { kind: "file", file: devVarsFile };
    case "state":
    case "made":
      return { kind: "file", file: secretsFile(folder) };
    default:
      return origin satisfies never;
  }
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
  readonly hostToken: string;
}

/** Lets streams end with an error event before the process is ended; one that cannot be told breaks off. */
async function announceEnd({ base, hostToken }: Running): Promise<void> {
  if (base === undefined) return;
  const seconds = (drainPatience - farewell) / 1000;
  const told = adminOf(base, hostToken).post("/api/drain", { seconds });
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
