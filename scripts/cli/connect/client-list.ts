/** `gateway connect` without a client: which clients are here, and which of them are connected. */
import { existsSync } from "node:fs";
import path from "node:path";
import { commandName } from "../command-name.ts";
import { configurableClients, toldClients } from "../clients/index.ts";
import type { ConfigurableClient, UserPlace } from "../clients/client.ts";
import { findFile } from "../files/disk-file.ts";
import { recordOf } from "./known-client.ts";
import { hashOf, type ConnectRecord } from "./record.ts";
import { userPlace } from "./user-place.ts";

/** Prints them; the exit code. */
export function listClients(): number {
  const place = userPlace();
  const name = commandName();
  const width = Math.max(...configurableClients.map(({ id }) => id.length));
  for (const client of configurableClients)
    console.log(`${client.id.padEnd(width)}  ${client.name.padEnd(18)}  ${stateOf(client, place)}`);
  console.log(
    `\nClients to set up by hand (${name} connect shows how): ${toldClients.map(({ id }) => id).join(", ")}.`,
  );
  console.log(`${name} connect <client> configures it; ${name} disconnect <client> undoes that.`);
  return 0;
}

function stateOf(client: ConfigurableClient, place: UserPlace): string {
  const record = readable(client, place);
  if (record === "damaged") return `what connect remembers is damaged: see ${commandName()} doctor`;
  if (record !== undefined) return `connected to ${record.url}${changed(record)}`;
  return isInstalled(client.command, place) ? "found" : "not found on this machine";
}

/** One client's damaged record keeps none of the others from being listed. */
function readable(
  client: ConfigurableClient,
  place: UserPlace,
): ConnectRecord | "damaged" | undefined {
  try {
    return recordOf(client, place).read();
  } catch {
    return "damaged";
  }
}

function changed({ files }: ConnectRecord): string {
  return files.every(
    ({ file, written }) => hashOf(findFile(file).bytes ?? Buffer.alloc(0)) === written,
  )
    ? ""
    : "; its configuration has changed since";
}

/** Whether a command of that name lies where shells look for it. */
function isInstalled(command: string, { environment, platform }: UserPlace): boolean {
  const folders = (environment["PATH"] ?? "").split(path.delimiter);
  const names = platform === "win32" ? [`${command}.cmd`, `${command}.exe`] : [command];
  return folders.some((folder) =>
    names.some((name) => folder !== "" && existsSync(path.join(folder, name))),
  );
}
