/** Programs that people sign in, from the code to the last refresh: only while the person may have keys there. */
import { mayDo } from "../../store/roles.ts";
import { createDeviceGrants, dropDeviceGrants, pollDeviceGrant } from "./tables/device-grants.ts";
import { roleOf } from "./tables/memberships.ts";
import {
  createProgramSignIns,
  endProgramSignIn,
  endProgramSignIns,
  openProgramSignIn,
  type ProgramOwner,
  type ProgramRefresh,
  rotateProgramSignIn,
} from "./tables/program-sign-ins.ts";
import type { Person } from "./tables/scope.ts";
import { personOf, readUser } from "./tables/users.ts";

/** Step 4 of the directory. */
export function createProgramTables(sql: SqlStorage): void {
  createDeviceGrants(sql);
  createProgramSignIns(sql);
}

/** A person as a program's sign-in needs them. */
export interface ProgramHolder {
  /** Id of the person. */
  person: string;
  workspace: string;
  /** The setting `OIDC_ISSUER`: people of another one are strangers now. */
  issuer: string | null;
}

/** The person, while they may have keys in that workspace. */
export function holderOfKeys(
  sql: SqlStorage,
  { person, workspace, issuer }: ProgramHolder,
): Person | undefined {
  const role = roleOf(sql, { workspace, user: person });
  const user = readUser(sql, person);
  if (role === undefined || !mayDo(role, "write-own")) return undefined;
  return user?.issuer === issuer ? personOf(user) : undefined;
}

/** A program asks whether its code was confirmed; with what the sign-in is to be called and to begin with. */
export interface DeviceRedeem {
  /** Hash of the device code. */
  device: string;
  /** Id of the sign-in that begins. */
  signIn: string;
  /** Hash of its first refresh token. */
  refresh: string;
  issuer: string | null;
}

/** What the program is told. */
export type DeviceRedemption =
  | { kind: "pending" | "slow_down" | "denied" | "expired" }
  | { kind: "approved"; person: Person; workspace: string };

/** A code that was confirmed becomes a sign-in, once. */
export function redeemDevice(
  sql: SqlStorage,
  { device, signIn, refresh, issuer }: DeviceRedeem,
  now: number,
): DeviceRedemption {
  const poll = pollDeviceGrant(sql, device, now);
  if (poll.kind !== "approved") return poll;
  const { workspace, agent, address } = poll;
  const person = holderOfKeys(sql, { person: poll.person, workspace, issuer });
  if (person === undefined) return { kind: "denied" };
  const opened = { id: signIn, person: person.id, workspace, refresh, agent, address };
  openProgramSignIn(sql, opened, now);
  return { kind: "approved", person, workspace };
}

/** `ended`: the sign-in was there and is over, so its keys must go too. */
export type ProgramRefreshed =
  | { kind: "rotated"; person: Person; workspace: string }
  | ({ kind: "ended" } & ProgramOwner)
  | { kind: "unknown" };

/** Replaces a refresh token, while its person may have keys there. */
export function refreshProgram(
  sql: SqlStorage,
  { issuer, ...refresh }: ProgramRefresh & { issuer: string | null },
  now: number,
): ProgramRefreshed {
  const rotation = rotateProgramSignIn(sql, refresh, now);
  if (rotation.kind === "unknown") return rotation;
  const { kind, ...owner } = rotation;
  if (kind === "reused") return { kind: "ended", ...owner };
  const person = holderOfKeys(sql, { ...owner, issuer });
  if (person !== undefined) return { kind: "rotated", person, workspace: owner.workspace };
  endProgramSignIn(sql, owner.id);
  return { kind: "ended", ...owner };
}

/** Signs out what the person signed in, in one workspace or in all: which it was. Codes that they confirmed are void. */
export function endPrograms(
  sql: SqlStorage,
  owner: { person: string; workspace?: string },
): ProgramOwner[] {
  dropDeviceGrants(sql, owner);
  return endProgramSignIns(sql, owner);
}
