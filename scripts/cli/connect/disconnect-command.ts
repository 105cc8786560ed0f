/** `gateway disconnect`: brings back what was there, or, where it was changed since, takes out what connect put in. */
import { printable } from "../../host/printable.ts";
import { UsageError } from "../../host/usage-error.ts";
import type { ConfigurableClient } from "../clients/client.ts";
import { toldClients } from "../clients/index.ts";
import type { Given } from "../command-line.ts";
import { confirm } from "./ask.ts";
import { clientNamed, recordOf } from "./known-client.ts";
import { unifiedDiff } from "./diff.ts";
import { textOf } from "./file-text.ts";
import { masked, secretsIn } from "./mask.ts";
import { recordsOf, type WrittenFile } from "./record.ts";
import { bringBack, planReturn, type Return } from "./return.ts";
import { revokeKey } from "./revoke-key.ts";
import { userPlace } from "./user-place.ts";

/** Runs it; the exit code. */
export async function runDisconnect(given: Given): Promise<number> {
  if (given.word === undefined) throw new UsageError("name a client", "disconnect");
  const told = toldClients.find(({ id }) => id === given.word);
  if (told !== undefined) {
    console.log(`${told.name} is configured in its own settings: remove the gateway there.`);
    return 0;
  }
  const client = clientNamed(given.word, "disconnect");
  const store = recordOf(client, userPlace());
  const record = store.read();
  if (record === undefined) return tellUnconnected(client);
  const returns = record.files.map(planReturn);
  for (const line of returns.flatMap((one, at) => shownReturn(one, record.files[at], record.key)))
    console.log(printable(line));
  if (given.switches.has("dry-run")) return 0;
  if (!given.switches.has("yes") && !(await confirm("Undo these changes?"))) return 1;
  bringBack(returns, { store, record });
  console.log(`${client.name} is disconnected.`);
  if (!given.switches.has("keep-key")) await revokeKey(record, { state: given.values["state"] });
  return 0;
}

/** A client of several homes may be connected in another one. */
function tellUnconnected({ id, name }: ConfigurableClient): number {
  const others = recordsOf(id).flatMap(({ files }) => files.slice(0, 1).map(({ file }) => file));
  if (others.length === 0) console.log(`${name} is not connected. Nothing was changed.`);
  else
    console.error(
      `${name} is not connected here, but in ${others.join(", ")}. Run this with the variables that it was connected with. Nothing was changed.`,
    );
  return others.length === 0 ? 0 : 1;
}

function shownReturn(
  { found, bytes, stays }: Return,
  written: WrittenFile | undefined,
  key: string,
): string[] {
  if (stays === true) return [`${found.file} has changed since and is left as it is.`];
  const before = found.bytes === undefined ? "" : textOf(found.file, found.bytes);
  const after = bytes === undefined ? "" : textOf(found.file, bytes);
  const removed = before !== "" && bytes === undefined;
  if (removed) return [`--- ${found.file} (removed: it did not exist before)`];
  const diff = unifiedDiff(found.file, before, after);
  const format = written?.insertions?.format;
  const secrets =
    format === undefined ? [] : [before, after].flatMap((text) => secretsIn(format, text));
  return diff === undefined ? [] : [masked(diff, [key, ...secrets])];
}
