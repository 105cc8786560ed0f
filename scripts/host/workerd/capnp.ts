/** The configuration of `workerd serve`, as the text that it reads. */
import path from "node:path";
import type { Reach } from "../../../src/store/env.ts";
import {
  assetsBinding,
  compatibilityDate,
  compatibilityFlags,
  kvBinding,
  objects,
  serverCheckBinding,
} from "./worker.ts";

export interface HostPlan {
  /** Folder of the configuration; everything it names is relative to it. */
  folder: string;
  workerFile: string;
  /** What it imports, in its folder or below; none where it is self-contained. */
  chunkFiles?: readonly string[];
  kvFile: string;
  assetsFile: string;
  /** Names of environment variables that the worker gets as bindings of the same name. */
  environment: readonly string[];
  /** PEM texts. */
  certificates: readonly string[];
  /** Which addresses the worker may connect to, whatever names lead there. */
  reach: Reach;
  /** Where the launcher looks at servers for the worker; nobody does where it is missing. */
  serverCheck?: string;
  /** As workerd writes it: `127.0.0.1:2099`, `[::1]:2099`, `*:2099`. */
  address: string;
}

/** Names in the configuration that the launcher refers to. */
export const socketName = "http";
/** The folder in the state folder that holds the objects' databases. */
export const objectsFolder = "objects";
/** The folder in the state folder that holds the modules of the running gateway: no build beside it takes them away. */
export const modulesFolder = "modules";

/** workerd checks the address that a name resolves to, so that no public name leads into a private network. */
const networks: Readonly<Record<Reach, readonly string[]>> = {
  public: ["public"],
  everywhere: ["public", "private", "local"],
};

/** Text of the configuration. The objects' unique keys name their databases on disk: they never change. */
export function hostConfig(plan: HostPlan): string {
  const classes = Object.entries(objects);
  const bindings = [
    ...plan.environment.map((name) => `(name = ${text(name)}, fromEnvironment = ${text(name)})`),
    ...classes.map(
      ([name, className]) => `(name = ${text(name)}, durableObjectNamespace = ${text(className)})`,
    ),
    `(name = ${text(kvBinding)}, kvNamespace = "kv")`,
    `(name = ${text(assetsBinding)}, service = "assets")`,
    ...(plan.serverCheck === undefined
      ? []
      : [`(name = ${text(serverCheckBinding)}, service = "server-check")`]),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        ${workerModules(plan).join(",\n        ")}
      ],
      compatibilityDate = ${text(compatibilityDate)},
      compatibilityFlags = [${compatibilityFlags.map(text).join(", ")}],
      bindings = [
        ${bindings.join(",\n        ")}
      ],
      durableObjectNamespaces = [
        ${classes.map(([, className]) => namespace(className)).join(",\n        ")}
      ],
      durableObjectStorage = (localDisk = "disk")
    )),
    (name = "kv", worker = (
      modules = [(name = "kv.js", esModule = embed ${text(relativePath(plan.folder, plan.kvFile))})],
      compatibilityDate = ${text(compatibilityDate)},
      bindings = [(name = "STORE", durableObjectNamespace = "KvStore")],
      durableObjectNamespaces = [${namespace("KvStore")}],
      durableObjectStorage = (localDisk = "disk")
    )),
    (name = "assets", worker = (
      modules = [(name = "assets.js", esModule = embed ${text(relativePath(plan.folder, plan.assetsFile))})],
      compatibilityDate = ${text(compatibilityDate)}
    )),
    ${serverCheckService(plan)}(name = "disk", disk = (path = ${text(objectsFolder)}, writable = true)),
    (name = "internet", network = (
      allow = [${networks[plan.reach].map(text).join(", ")}],
      tlsOptions = (trustBrowserCas = true, trustedCertificates = [${plan.certificates.map(text).join(", ")}])
    ))
  ],
  sockets = [(name = ${text(socketName)}, address = ${text(plan.address)}, http = (), service = "main")]
);
`;
}

/** A service of its own: the worker's own network may be closed to loopback. */
function serverCheckService({ serverCheck }: HostPlan): string {
  if (serverCheck === undefined) return "";
  return `(name = "server-check", external = (address = ${text(serverCheck)}, http = ())),\n    `;
}

/** The first is the entry. Imports name the others by their places beside it. */
function workerModules(plan: HostPlan): string[] {
  const { workerFile, chunkFiles = [] } = plan;
  return [workerFile, ...chunkFiles].map((file) => {
    const name = relativePath(path.dirname(workerFile), file);
    return `(name = ${text(name)}, esModule = embed ${text(relativePath(plan.folder, file))})`;
  });
}

function namespace(className: string): string {
  return `(className = ${text(className)}, uniqueKey = ${text(`gateway-${className}`)}, enableSql = true)`;
}

function relativePath(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll("\\", "/");
}

/** A Cap'n Proto text literal; JSON's escapes are valid in it. */
function text(value: string): string {
  return JSON.stringify(value);
}
