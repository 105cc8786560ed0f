/** The command line of `npm start`. */
import path from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

export interface StartOptions {
  port: number;
  host: string;
  /** Folder of the state. */
  state: string;
  importEnv: boolean;
  /** Make new secrets where those of the state are lost. */
  newSecrets: boolean;
  /** Benchmarks and bulk tests: limits compiled out, throw-away state, quiet. */
  bench: boolean;
  /** Port of V8's inspector on this machine, for profiles: whoever reaches it reads the gateway's memory. */
  inspector: number | undefined;
}

export const usage = `usage: npm start -- [options]

  --port N        port to listen on (default 2099; 0 = any free port)
  --host ADDRESS  address to listen on (default 127.0.0.1)
  --state FOLDER  folder for all data (default .state)
  --import-env    add the providers whose API keys are in the environment
  --new-secrets   create new secrets where the old ones are lost
  --inspector N   port of V8's inspector on 127.0.0.1, for profiles
  --version       show the version
  --help          show this help`;

/** The state folder where none is named. */
export const defaultState = ".state";

/** Throws a `UsageError`. Undefined when only help is wanted. */
export function readOptions(args: string[]): StartOptions | undefined {
  const { values } = understood(args);
  if (values.help) return undefined;
  if (values.state === "") throw new UsageError("--state needs a value", "start");
  const bench = values.bench;
  return {
    port: readPort("port", values.port ?? (bench ? "2098" : "2099")),
    host: values.host,
    // Thrown away at every start: never the folder of a real state.
    state: bench ? path.join(values.state, "bench") : values.state,
    importEnv: values["import-env"],
    newSecrets: values["new-secrets"],
    bench,
    inspector: values.inspector === undefined ? undefined : readPort("inspector", values.inspector),
  };
}

function understood(args: string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    // Node's own words name the option.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/\. /);
    throw new UsageError(problem, "start");
  }
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      port: { type: "string" },
      host: { type: "string", default: "127.0.0.1" },
      state: { type: "string", default: defaultState },
      "import-env": { type: "boolean", default: false },
      "new-secrets": { type: "boolean", default: false },
      bench: { type: "boolean", default: false },
      inspector: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--${option}: ${text} is not a port number`, "start");
}

/** Whether only this machine can reach that address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** The address as workerd and URLs write it: an IPv6 one in brackets. */
export function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** Where this machine itself reaches a server that listens there. */
export function localUrl(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "*" || host === "::" || host === "[::]";
  return `http://${everywhere ? "127.0.0.1" : bracketed(host)}:${port}`;
}
