/** A configured provider joined with its catalogue record, and a model that it serves. */
import { withoutEnd } from "../../lib/trim-end.ts";
import type { ModelInfo } from "../../core/model.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import type { ProviderEntry } from "../../store/config.ts";
import { recordOf } from "../catalogue/kinds.ts";
import type { KindRecord } from "../catalogue/record.ts";

/** A configured provider joined with its catalogue record. Pure data and pure functions of it. */
export interface Connection {
  id: string;
  kind: string;
  entry: ProviderEntry;
  baseUrl: string;
  subscription: boolean;
  /** Whether it answers without a credential (local kinds, custom, demo). */
  keyless: boolean;
  /** Seconds. */
  timeouts: { headers: number; firstContent: number; idle: number; total: number };
}

/** One routable model. `id` is what clients send: `<connection>/<model>`, `-subscription` included. */
export interface ListedModel {
  id: string;
  connection: Connection;
  /** The provider's own id is `info.id`. */
  info: ModelInfo;
}

/** The entry joined with its kind's record. Throws Problem M300 for a kind that the catalogue does not know. */
export function connectionOf(entry: ProviderEntry): Connection {
  const record = recordOf(entry.kind);
  if (record === undefined)
    throw new Problem(
      problemCodes.invalidRequest,
      `providers: there is no kind ${JSON.stringify(entry.kind)}`,
    );
  const given = entry.timeouts;
  return {
    id: entry.id,
    kind: entry.kind,
    entry,
    baseUrl: trimmed(addressIn(entry, record) ?? ""),
    subscription: entry.auth === "subscription",
    keyless: record.keyless === true,
    timeouts: {
      headers: given?.headers ?? 30,
      firstContent: given?.first_content ?? 60,
      idle: given?.idle ?? 120,
      total: given?.total ?? 900,
    },
  };
}

/** The entry's own address, or the record's of the entry's region; undefined where there is none. */
export function addressIn(entry: ProviderEntry, record: KindRecord): string | undefined {
  if (entry.base_url !== undefined) return entry.base_url;
  return entry.region === undefined ? record.baseUrl : record.regions?.[entry.region];
}

/** The catalogue's record behind a connection. */
export function recordFor(connection: Connection): KindRecord {
  const record = recordOf(connection.kind);
  if (record === undefined)
    throw new Problem(
      problemCodes.invalidRequest,
      `providers: there is no kind ${JSON.stringify(connection.kind)}`,
    );
  return record;
}

/** Whether its answers are made inside this process (the demo). */
export function isInProcess(connection: Connection): boolean {
  return recordFor(connection).inProcess === true;
}

/** An address without slashes at its end. */
export function trimmed(address: string): string {
  return withoutEnd(address, "/");
}
