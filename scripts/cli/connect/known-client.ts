/** A client by its name, and what is remembered of it. */
import type { ClientFile, ConfigurableClient, UserPlace } from "../clients/client.ts";
import { configurableClients, toldClients } from "../clients/index.ts";
import { nearestWord } from "../nearest.ts";
import { UsageError } from "../../host/usage-error.ts";
import { recordStore, type RecordStore } from "./record.ts";

/** The client of that name. Throws `UsageError` with the nearest one. */
export function clientNamed(name: string, command: string): ConfigurableClient {
  const client = configurableClients.find(({ id }) => id === name);
  if (client !== undefined) return client;
  const near = nearestWord(
    name,
    [...configurableClients, ...toldClients].map(({ id }) => id),
  );
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new UsageError(`unknown client ${name}${hint}`, command);
}

/** Where the client's files lie and in which formats; what goes into them is left out. */
export function filesOf(client: ConfigurableClient, place: UserPlace): ClientFile[] {
  const empty = { url: "", key: "", model: "auto", context: 0, claudeCode: {}, codexCatalogue: "" };
  return client.files(place, empty);
}

/** The client's record, whatever its files hold. */
export function recordOf(client: ConfigurableClient, place: UserPlace): RecordStore {
  return recordStore(client.id, filesOf(client, place)[0]?.file ?? "");
}
