/** How a command finds the gateway that it is about. */
import { existsSync, realpathSync } from "node:fs";
import { adminOf, type Admin } from "../host/running/admin.ts";
import { adminTokenOf } from "../host/state/admin-token.ts";
import { runningGateway } from "../host/state/lock.ts";
import { UsageError } from "../host/usage-error.ts";
import { commandName } from "./command-name.ts";
import { stateFolder } from "./state-folder.ts";

/** A gateway that answers, as far as is known. */
export interface ReachedGateway {
  /** Without `/v1` and without a slash at its end. */
  readonly url: string;
  /** Its admin API; undefined where its token is not known here. */
  readonly admin: Admin | undefined;
}

/** Words of the command line that say which gateway is meant. */
export interface NamedGateway {
  readonly url?: string | undefined;
  readonly state?: string | undefined;
}

/** The gateway of that address, else the one that runs on the state folder. Throws, in words for the user. */
export async function reachGateway(named: NamedGateway): Promise<ReachedGateway> {
  const folder = stateFolder(named.state);
  const running = runningAddress(folder);
  const url = named.url === undefined ? running : plainAddress(named.url);
  if (url === undefined)
    throw new Error(
      `No gateway is running with the state folder ${folder}. Start it (${commandName()} start), or name one with --url.`,
    );
  // The token of a state goes to no other address than that state's own gateway.
  const token = url === running ? adminTokenOf(folder) : undefined;
  const admin = token === undefined ? undefined : adminOf(url, token);
  return { url, admin: admin !== undefined && (await admin.holds()) ? admin : undefined };
}

/** Whether a gateway answers at the address. */
export async function answersAt(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(patience) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** How long it may take, ms. */
const patience = 5000;

/** Where the gateway of a state folder listens; undefined where none runs on it. */
export function runningAddress(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return runningGateway(realpathSync(folder))?.base;
}

/** An address as it was given, without `/v1`. Throws `UsageError`. */
export function plainAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url: ${text} is not an address like https://gateway.example`);
  return text.replace(/\/+$/, "").replace(/\/v1$/, "");
}
