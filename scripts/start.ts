/**
 * `npm start`: the built worker in workerd, under one launcher. `--bench` is `npm run dev:bench`. The packaged command
 * calls `startGateway` with modules that are built already.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkDeployment } from "../src/store/deployment.ts";
import { modeOf, settingsOf } from "../src/store/env.ts";
import { checkState, untilHealthy } from "./host/running/admin.ts";
import { hostConfig, modulesFolder, objectsFolder } from "./host/workerd/capnp.ts";
import { trustedCertificates } from "./host/workerd/certificates.ts";
import { descriptorLimit } from "./host/workerd/descriptors.ts";
import { makeDevVars } from "./host/state/dev-vars.ts";
import { connectWords } from "./cli/connect-words.ts";
import { announceEnd, drainPatience, followEnd } from "./host/running/ending.ts";
import { isLockSocket } from "./host/state/lock-socket.ts";
import { lockRecord, takeLock, type LockAnswer, type StateLock } from "./host/state/lock.ts";
import {
  bracketed,
  defaultState,
  isLoopback,
  localUrl,
  readOptions,
  usage,
  type StartOptions,
} from "./host/options.ts";
import { openFolder } from "./host/state/open-folder.ts";
import { devVarsFile, packageVersion } from "./host/paths.ts";
import { narrowFile, narrowFolder, ownerOnly } from "./host/state/private-files.ts";
import { endProcess, markOf } from "./host/state/process.ts";
import type { Program } from "./host/build/program.ts";
import type { ChosenSecrets, SecretOrigin } from "./host/state/secrets.ts";
import { serveChecks } from "./host/server-check.ts";
import { settingValues } from "./host/state/settings.ts";
import { firstStartNote, setUp, type SetupOptions } from "./host/running/setup.ts";
import {
  differingLines,
  keepSecrets,
  readSecrets,
  secretsFile,
  secretsOf,
  type SecretFiles,
} from "./host/state/state-secrets.ts";
import { supervise, workerdBinary, type Supervised } from "./host/workerd/supervise.ts";
import { UsageError } from "./host/usage-error.ts";
import type { TokenPlace } from "./host/running/welcome.ts";

/** npm passes on a Ctrl-C that the terminal has sent already: signals so close together are one. */
const oneSignal = 1000;
/** How long a workerd that does not listen yet may take to end, ms. */
const startingPatience = 2000;
const configFile = "workerd.capnp";

/** Starts the gateway and returns once it serves. Throws, in words for the user, where it cannot. */
export async function startGateway(args: string[], program: Program): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) return console.log(usage);
  const descriptors = descriptorLimit();
  const folder = openFolder(options.state);
  const lock = heldLock(await takeLock(folder), options.state);
  try {
    const devVars = program.devVars(folder);
    await serve({ options, folder, lock, descriptors, devVars, program });
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
  /** The file of settings. */
  devVars: string;
  program: Program;
}

async function serve(start: Start): Promise<void> {
  const { options, folder, lock } = start;
  const prepared = prepare(start);
  const config = await writeConfig(start, prepared);
  const running: Running = { hostToken: prepared.hostToken };
  stopOnSignal(running, lock);
  const supervised = supervise({
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
  const gateway = await supervised.catch(async (error: unknown) => {
    // A workerd that was told to end before it listened: this process ends with it.
    await running.stopping;
    throw error;
  });
  running.gateway = gateway;
  const base = localUrl(options.host, gateway.port);
  running.base = base;
  try {
    await untilHealthy(base);
    await checkState(base, running.hostToken);
    lock.noteAddress(base);
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
      admin: administrator(prepared.secrets, { folder, devVars: start.devVars }),
      importEnv: options.importEnv,
      startWords: start.program.startWords,
      connectWords: start.program.connectWords(folder),
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
function prepare({ options, folder, descriptors, devVars }: Start): Prepared {
  const objects = path.join(folder, objectsFolder);
  const places = { folder, devVars };
  if (options.bench) discard(objects, places);
  const settings = settingValues(devVars);
  const cloud = modeOf(settings) === "cloud";
  const secrets = secretsOf(places, { renew: options.newSecrets, cloud });
  const values: Record<string, string> = { ...settings, ...secrets.values };
  checkDeployment(values);
  if (!options.bench) keepSecrets(folder, secrets);
  mkdirSync(objects, { recursive: true, mode: ownerOnly.folder });
  const told = [narrowFolder(folder, isOurs), narrowFile(devVars)].flat();
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
function discard(objects: string, { folder, devVars }: SecretFiles): void {
  rmSync(objects, { recursive: true, force: true });
  rmSync(secretsFile(folder), { force: true });
  makeDevVars(devVars, readSecrets(secretsFile(defaultState)));
}

/** Builds the worker and writes workerd's configuration. Returns the file. */
async function writeConfig(start: Start, { values, hostToken }: Prepared): Promise<string> {
  const { options, folder } = start;
  const edition = options.bench ? "bench" : "product";
  const modules = await start.program.modules(path.join(folder, modulesFolder), edition);
  const config = path.join(folder, configFile);
  const text = hostConfig({
    folder,
    ...modules,
    environment: [...Object.keys(values), "BOOT_ID"],
    certificates: trustedCertificates(process.env),
    reach: settingsOf(values).reach,
    serverCheck: await serveChecks(hostToken),
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
  places: SecretFiles,
): SetupOptions["admin"] | undefined {
  const { ADMIN_TOKEN: token } = values;
  if (token === undefined) return undefined;
  const { ADMIN_TOKEN: origin = "made" } = origins;
  return { token, place: placeOf(origin, places), made: origin === "made" };
}

function placeOf(origin: SecretOrigin, { folder, devVars }: SecretFiles): TokenPlace {
  switch (origin) {
    case "environment":
      return { kind: "environment" };
    case "dev-vars":
      return { kind: "file", file: devVars };
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
  /** Ends this process; undefined before a signal. */
  stopping?: Promise<never>;
  /** Where it listens. */
  base?: string;
  readonly hostToken: string;
}

/** A gateway that does not listen yet serves nobody. */
async function sayGoodbye({ base, hostToken }: Running): Promise<void> {
  if (base === undefined) return;
  await announceEnd({ base, hostToken });
  await followEnd({ base, hostToken }, (line) => console.error(line));
}

/** Waited for: a workerd that outlives this process cannot report that it listens, and prints a stack. */
async function endStarting({ pid }: Running): Promise<void> {
  const mark = pid === undefined ? undefined : markOf(pid);
  if (mark !== undefined) await endProcess(mark, startingPatience);
}

function stopOnSignal(running: Running, lock: StateLock): void {
  let first: number | undefined;
  const stop = async (patience: number): Promise<never> => {
    if (patience > 0) await sayGoodbye(running);
    if (running.gateway) await running.gateway.stop(patience);
    else await endStarting(running);
    lock.release();
    console.error("Stopped.");
    process.exit(0);
  };
  const onSignal = (): void => {
    if (first !== undefined && Date.now() - first < oneSignal) return;
    const patience = first === undefined ? drainPatience : 0;
    first ??= Date.now();
    running.stopping = stop(patience);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, onSignal);
}

function warnIfOpen(host: string): void {
  if (isLoopback(host)) return;
  console.warn(`Warning: listening on ${host}, reachable from other machines over plain HTTP.`);
  console.warn(
    "Put a reverse proxy with TLS in front and set TRUSTED_IP_HEADER to the header in which it sends the client's address.",
  );
}

/** Builds on the fly from the sources, so that a clone needs no step before its start. */
export async function startClone(args: string[]): Promise<void> {
  const [{ bundleHost }, { buildStaticFiles }] = await Promise.all([
    import("./host/build/bundle.ts"),
    import("./host/build/client.ts"),
  ]);
  await startGateway(args, {
    modules: async (folder, edition) =>
      await bundleHost(await buildStaticFiles(), { folder, edition }),
    devVars: () => devVarsFile,
    startWords: "npm start --",
    connectWords: (folder) => connectWords("npm run gateway --", folder),
  });
}

// Only where this file is what runs: the package calls `startGateway`.
if (path.basename(process.argv[1] ?? "") === "start.ts") {
  const args = process.argv.slice(2);
  try {
    if (args.includes("--version") || args.includes("-v")) console.log(packageVersion());
    else await startClone(args);
  } catch (error) {
    const wrongUsage = error instanceof UsageError;
    console.error(error instanceof Error ? error.message : error);
    if (wrongUsage) console.error(`\n${usage}`);
    process.exit(wrongUsage ? 2 : 1);
  }
}
