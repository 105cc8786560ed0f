/** Which state folder a command means. */
import { existsSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { objectsFolder } from "../host/workerd/capnp.ts";
import { defaultState } from "../host/options.ts";
import { secretsFile } from "../host/state/state-secrets.ts";

/**
 * The one that is named, else `GATEWAY_STATE`, else `.state` here where it is a state of this user, else the user's own.
 * Where others may write, one of theirs would say which gateway gets this user's token, and by which token that gateway
 * can be administered.
 */
export function stateFolder(named: string | undefined): string {
  const set = named ?? process.env["GATEWAY_STATE"];
  if (set !== undefined && set !== "") return path.resolve(set);
  const here = path.resolve(defaultState);
  return holdsState(here) && isOwn(here) ? here : userStateFolder("routing-gateway");
}

/** Whether this user made it. Where users have no numbers, nobody else's is told apart. */
function isOwn(folder: string): boolean {
  return process.getuid === undefined || statSync(folder).uid === process.getuid();
}

/** A folder of this name among those that programs keep for the user from run to run. */
export function userStateFolder(name: string): string {
  const set = process.env["XDG_STATE_HOME"] ?? "";
  // The specification ignores relative ones.
  const base = path.isAbsolute(set) ? set : path.join(userHome(), ".local", "state");
  return path.join(base, name);
}

/** The user's own folder: an empty `HOME` names none. */
export function userHome(): string {
  const home = os.homedir();
  return home === "" ? os.userInfo().homedir : home;
}

/** Whether a gateway's state lies there. */
export function holdsState(folder: string): boolean {
  return existsSync(secretsFile(folder)) || existsSync(path.join(folder, objectsFolder));
}
