/** Which machine a connection's calls go to. */
import type { FormatName } from "../../core/format-name.ts";
import { isInProcess, type Connection } from "./connection.ts";
import { rootOf } from "./credentials.ts";

/** Host and port of a server. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const servers = new WeakMap<Connection, Map<FormatName, ServerAddress | undefined>>();

/** Where the connection is asked in this format; undefined inside this process. Worked out once. */
export function serverOf(connection: Connection, format: FormatName): ServerAddress | undefined {
  let byFormat = servers.get(connection);
  if (byFormat === undefined) servers.set(connection, (byFormat = new Map()));
  if (!byFormat.has(format)) byFormat.set(format, findServer(connection, format));
  return byFormat.get(format);
}

function findServer(connection: Connection, format: FormatName): ServerAddress | undefined {
  return isInProcess(connection) ? undefined : serverIn(rootOf(connection, format));
}

/** Host and port of an http or https address; undefined for anything else. */
export function serverIn(text: string): ServerAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === "") return undefined;
  const usual = url.protocol === "http:" ? 80 : 443;
  return { address: url.hostname, port: url.port === "" ? usual : Number(url.port) };
}
