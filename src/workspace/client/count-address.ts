/** Counts requests by the addresses of their clients. */
import type { Policy } from "../../policy/policy.ts";
import type { Env } from "../../store/env.ts";
import { objectNameOf } from "./address-object-name.ts";
import type { AddressAnswer, Caller } from "../contract/address.ts";
import { Memory } from "../memory.ts";
import { calling, ipStub, type IpStub } from "../remote.ts";
import type { AddressWindows } from "../address/address-windows.ts";
import { windowsHere } from "../address/windows-here.ts";

/** Where a request was counted, and the token that takes it back. */
export interface CountedCaller extends Caller {
  readonly token: number;
}

/** The token of a request that was counted nowhere. */
const notCounted = 0;

/** Counts one request, or refuses it. A counter that cannot be reached lets it pass. No promise where it is in this process. */
export function countAddress(
  env: Env,
  { address }: Pick<Policy, "address">,
  caller: Caller,
): AddressAnswer | Promise<AddressAnswer> {
  if (address === null) return { ok: true, token: notCounted };
  const windows = ownWindows(env, caller);
  return windows === undefined ? countedElsewhere(env, caller) : countedHere(windows, env, caller);
}

/** The request was refused elsewhere and counts nowhere. */
export function uncountAddress(
  env: Env,
  { token, ...caller }: CountedCaller,
): void | Promise<void> {
  if (token === notCounted) return;
  refusals.delete(nameOf(caller));
  const windows = ownWindows(env, caller);
  if (windows === undefined) return onObject(env, caller, (stub) => stub.giveBack(token, caller));
  windows.giveBack(caller, token);
}

/** Those of the address's object, where it lives in this process; undefined before its first call too. */
function ownWindows(env: Env, { address }: Caller): AddressWindows | undefined {
  return env.BOOT_ID === undefined ? undefined : windowsHere(objectIdOf(env, address));
}

const knownIds = new Map<string, string>();

/** Of the process's sixteen. */
function objectIdOf(env: Env, address: string): string {
  const name = objectNameOf(env, address);
  let id = knownIds.get(name);
  if (id === undefined) knownIds.set(name, (id = env.IP.idFromName(name).toString()));
  return id;
}

/** A request that makes its window worth saving waits until the object knows: one in some seconds. */
function countedHere(
  windows: AddressWindows,
  env: Env,
  caller: Caller,
): AddressAnswer | Promise<AddressAnswer> {
  const answer = windows.count(caller, Date.now());
  if (windows.isSaved || !answer.ok || !windows.isBusy(caller)) return answer;
  windows.isSaved = true;
  return onObject(env, caller, (stub) => stub.saveSoon()).then(
    () => answer,
    () => {
      windows.isSaved = false;
      return answer;
    },
  );
}

type Refusal = Extract<AddressAnswer, { ok: false }>;

/** Refusals of the last second, which is the shortest time that a refused client is told to wait. */
const refusals = new Memory<{ readonly until: number; readonly refusal: Refusal }>(2000);
const refusalLife = 1000;

function nameOf({ address, standing }: Caller): string {
  return `${standing} ${address}`;
}

async function countedElsewhere(env: Env, caller: Caller): Promise<AddressAnswer> {
  const name = nameOf(caller);
  const known = refusals.get(name);
  if (known !== undefined && Date.now() < known.until) return known.refusal;
  try {
    const answer = await onObject(env, caller, (stub) => stub.hit(caller));
    if (!answer.ok) refusals.set(name, { until: Date.now() + refusalLife, refusal: answer });
    return answer;
  } catch (error) {
    // A counter that cannot be reached must not stop the service; keys and budgets still can.
    console.warn(`an address could not be counted: ${String(error)}`);
    return { ok: true, token: notCounted };
  }
}

function onObject<Answer>(
  env: Env,
  { address }: Caller,
  call: (stub: IpStub) => Promise<Answer>,
): Promise<Answer> {
  return calling(() => ipStub(env, objectNameOf(env, address)), call);
}
