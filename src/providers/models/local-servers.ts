/** What runs on this machine. */
import { knownKinds, recordOf } from "../catalogue/kinds.ts";
import { connectionOf, recordFor, trimmed } from "../connection/connection.ts";
import { fetchList } from "./fetch-list.ts";

interface LocalServer {
  kind: string;
  name: string;
  baseUrl: string;
  models: number;
}

/** Model servers that answer on their usual ports of this machine, or else of that host. */
export async function findLocal(host?: string): Promise<LocalServer[]> {
  const kinds = knownKinds.filter((kind) => recordOf(kind)?.port !== undefined);
  const found = await Promise.all(
    kinds.map(async (kind) => (await probe(kind)) ?? (host && (await probe(kind, host)))),
  );
  return found.filter((server) => typeof server === "object");
}

async function probe(kind: string, host?: string): Promise<LocalServer | undefined> {
  const own = connectionOf({ id: "probe", kind });
  const connection =
    host === undefined
      ? own
      : connectionOf({ id: "probe", kind, base_url: onHost(own.baseUrl, host) });
  const answer = await fetchList(connection, { secret: undefined }, "everywhere");
  if (!answer.ok) return undefined;
  return {
    kind,
    name: recordFor(connection).name,
    baseUrl: connection.baseUrl,
    models: answer.models.length,
  };
}

function onHost(address: string, host: string): string {
  const url = new URL(address);
  url.host = url.port === "" ? host : `${host}:${url.port}`;
  return trimmed(url.href);
}
