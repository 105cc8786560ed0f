/** Calls to the objects: their methods as the caller sees them, and what to do when an object was restarted. */
import type { Env } from "../store/env.ts";
import type { DirectoryObject } from "./accounts/directory-object.ts";
import type { IpObject } from "./address/address-object.ts";
import { descriptorShares } from "./descriptors.ts";
import { workspaceObject } from "./namespace.ts";
import { Residency } from "./residency.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

type Own =
  | "ctx"
  | "env"
  | "fetch"
  | "alarm"
  | "webSocketMessage"
  | "webSocketClose"
  | "webSocketError";

/** Every method of the object, answered over the wire. */
export type Remote<T> = {
  [K in Exclude<keyof T, Own | symbol>]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/** A workspace as callers see it. */
export type WorkspaceStub = Remote<WorkspaceObject>;
/** The counter of addresses as callers see it. */
export type IpStub = Remote<IpObject>;
/** The directory as callers see it. */
export type DirectoryStub = Remote<DirectoryObject>;

/** The workspace's object. `continent`: of the caller, where the object may come into being by this call. */
export function workspaceStub(
  env: Pick<Env, "WORKSPACE">,
  workspace: string,
  continent?: string,
): WorkspaceStub {
  // The binding names this class; the runtime's own type would turn JSON values into `never`.
  return workspaceObject(env, workspace, continent) as unknown as WorkspaceStub;
}

/** An object that counts addresses, by its name. */
export function ipStub(env: Pick<Env, "IP">, name: string): IpStub {
  // The binding names this class.
  return env.IP.get(env.IP.idFromName(name)) as unknown as IpStub;
}

/** The deployment's one directory. */
export function directoryStub(env: Pick<Env, "DIRECTORY">): DirectoryStub {
  // The binding names this class.
  return env.DIRECTORY.get(env.DIRECTORY.idFromName("directory")) as unknown as DirectoryStub;
}

/**
 * Calls the object, once more with a fresh stub when it was restarted under the call. Every method is safe
 * to call twice: admission and settlement know the request by its id. `again`: the first call may have been served.
 */
export async function calling<Stub, Answer>(
  stub: () => Stub,
  call: (stub: Stub, again: boolean) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(stub(), false);
  } catch (error) {
    if (!isPassing(error)) throw error;
    return call(stub(), true);
  }
}

/** Calls the workspace's object. Throws M501 where so many workspaces are in use that no file could be opened. */
export function callWorkspace<Answer>(
  env: WorkspaceBindings,
  workspace: string,
  call: (stub: WorkspaceStub, again: boolean) => Promise<Answer>,
): Promise<Answer> {
  residencyOf(env).enter(workspace);
  return calling(() => workspaceStub(env, workspace), call);
}

/** The same for what an admitted request still owes its workspace: never refused. */
export function onAdmittingWorkspace<Answer>(
  env: WorkspaceBindings,
  workspace: string,
  call: (stub: WorkspaceStub, again: boolean) => Promise<Answer>,
): Promise<Answer> {
  residencyOf(env).note(workspace);
  return calling(() => workspaceStub(env, workspace), call);
}

/** Whether `callWorkspace` would call that workspace now. */
export function hasRoomFor(env: WorkspaceBindings, workspace: string): boolean {
  return residencyOf(env).hasRoom(workspace);
}

/** The bindings by which a workspace's object is called. */
export type WorkspaceBindings = Pick<Env, "WORKSPACE" | "DESCRIPTOR_LIMIT">;

/** One for all requests of an isolate, by the limit that its process has. */
const residencies = new Map<string | undefined, Residency>();

function residencyOf(env: WorkspaceBindings): Residency {
  const known = residencies.get(env.DESCRIPTOR_LIMIT);
  if (known !== undefined) return known;
  const residency = new Residency(descriptorShares(env).workspaces, Date.now);
  residencies.set(env.DESCRIPTOR_LIMIT, residency);
  return residency;
}

/** Whether the object is of the version before and has no such method, which a roll-out meets for minutes. */
export function lacksMethod(error: unknown): boolean {
  return String(error).includes("RPC receiver does not implement");
}

function isPassing(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("overloaded" in error && error.overloaded === true) return false;
  const reset = "durableObjectReset" in error && error.durableObjectReset === true;
  return reset || ("retryable" in error && error.retryable === true);
}
