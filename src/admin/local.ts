/** Model servers of this machine, and what an endpoint offers before it is saved. */
import { entryProblem } from "../providers/connection/check-entry.ts";
import { connectionOf } from "../providers/connection/connection.ts";
import { fetchList } from "../providers/models/fetch-list.ts";
import { findLocal } from "../providers/models/test-connection.ts";
import type { ProviderEntry } from "../store/config.ts";
import type { Mode } from "../store/env.ts";

export interface LocalServer {
  kind: string;
  name: string;
  base_url: string;
  models: number;
}

/** Those that answer on their usual ports. In the cloud there is no such machine. */
export async function localServers(mode: Mode): Promise<LocalServer[]> {
  if (mode === "cloud") return [];
  const found = await findLocal();
  return found.map(({ baseUrl, ...server }) => ({ ...server, base_url: baseUrl }));
}

export type Discovery = { ok: true; models: string[] } | { ok: false; message: string };

/** The ids in the list of an endpoint that is not saved yet; its secrets are in the entry as they were typed. */
export async function discoverModels(entry: ProviderEntry, mode: Mode): Promise<Discovery> {
  const wrong = entryProblem(entry, mode);
  if (wrong !== undefined) return { ok: false, message: wrong.problem.message };
  const credentials = { secret: entry.api_key, secretHeaders: entry.headers ?? {} };
  const answer = await fetchList(connectionOf(entry), credentials, mode);
  if (!answer.ok) return { ok: false, message: answer.failure.message };
  return { ok: true, models: answer.models.map(({ id }) => id) };
}
