/** What the story of a request needs from the outside. Built once an isolate, from the bindings, by the roof. */
import type { Clock } from "../lib/clock.ts";
import type { AdmitAnswer, AdmitRequest, RequestRecord } from "../meter/contract.ts";
import type { Connection } from "../providers/contract.ts";
import type { Directory } from "../providers/directory.ts";
import type { Mode } from "../store/env.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Policy } from "../variants/policy.ts";
import type { Holder } from "./call.ts";

export interface Services {
  policy: Policy;
  mode: Mode;
  now: Clock;
  /** Counts a request of this client address. */
  countAddress(request: Request): Promise<AddressVerdict>;
  /** Whose key this is, or the code of what is wrong with it. */
  identify(token: string): Promise<Holder | "M003" | "M004" | "M005">;
  /** The newest snapshot, from the workspace's object itself. */
  refresh(workspace: string): Promise<Snapshot>;
  admit(workspace: string, request: AdmitRequest): Promise<AdmitAnswer>;
  /** A row for a request that was refused. */
  log(workspace: string, record: RequestRecord): Promise<void>;
  /** All models that the workspace reaches, from cache; lists that are old are renewed behind the answer. */
  directory(snapshot: Snapshot, waitUntil: WaitUntil): Promise<Directory>;
  /** The same with the lists of providers that were never asked. */
  freshDirectory(snapshot: Snapshot): Promise<Directory>;
  /** What opens the connection's door, unsealed. */
  credential(snapshot: Snapshot, connection: Connection): Promise<Credential>;
}

export type WaitUntil = (promise: Promise<unknown>) => void;

export type AddressVerdict =
  | { ok: true; giveBack(): Promise<void> }
  | { ok: false; limit: number; retryAfter: number };

export interface Credential {
  /** Undefined when the connection has none that can be opened. */
  secret: string | undefined;
  /** The entry's extra headers that are kept sealed. */
  secretHeaders: Readonly<Record<string, string>>;
}
