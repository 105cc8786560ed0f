/** What the story of a request needs from the outside. Built once an isolate, from the bindings, by the roof. */
import type { Clock } from "../lib/clock.ts";
import type { Workspaces } from "../workspace/client.ts";
import type { Connection } from "../providers/connection/connection.ts";
import type { Directory } from "../providers/models/directory.ts";
import type { Credentials } from "../providers/models/fetch-list.ts";
import type { Mode } from "../store/env.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Policy } from "../policy/policy.ts";

export interface Services {
  policy: Policy;
  mode: Mode;
  now: Clock;
  meter: Workspaces;
  /** The bucket in which this request's client address is counted. */
  addressOf(headers: Headers): string;
  /** All models that the workspace reaches, from cache; lists that are old are renewed behind the answer. */
  directory(snapshot: Snapshot, waitUntil: WaitUntil): Promise<Directory>;
  /** The same with the lists of providers that were never asked. */
  freshDirectory(snapshot: Snapshot, waitUntil: WaitUntil): Promise<Directory>;
  /** What opens the connection's door, unsealed. */
  credentials(snapshot: Snapshot, connection: Connection): Promise<Credentials>;
}

export type WaitUntil = (promise: Promise<unknown>) => void;

/** The services and the runtime's promise to finish work behind the answer. */
export interface Shell {
  services: Services;
  waitUntil: WaitUntil;
}
