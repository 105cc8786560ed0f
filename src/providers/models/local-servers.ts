/** What runs on this machine. */
import { knownKinds, recordOf } from "../catalogue/kinds.ts";
import { connectionOf, recordFor } from "../connection/connection.ts";
import { fetchList } from "./fetch-list.ts";

interface LocalServer {
  kind: string;
  name: string;
  baseUrl: string;
  models: number;
}

/** Model servers that answer on their usual ports of this machine. */
export async function findLocal(): Promise<LocalServer[]> {
  const candidates = knownKinds.filter((kind) => recordOf(kind)?.port !== undefined);
  const found = await Promise.all(candidates.map(probe));
  return found.filter((server) => server !== undefined);
}

async function probe(kind: string): Promise<LocalServer | undefined> {
  const connection = connectionOf({ id: "probe", kind });
  const answer = await fetchList(connection, { secret: undefined }, "everywhere");
  if (!answer.ok) return undefined;
  return {
    kind,
    name: recordFor(connection).name,
    baseUrl: connection.baseUrl,
    models: answer.models.length,
  };
}
