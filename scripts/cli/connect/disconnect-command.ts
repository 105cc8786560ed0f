/** `gateway disconnect`: brings back what was there, or, where it was changed since, takes out what connect put in. */
import { printable } from "../../host/printable.ts";
import { causeOf } from "../../host/running/test-request.ts";
import type { Given } from "../command-line.ts";
import { reachGateway } from "../reach.ts";
import { UsageError } from "../../host/usage-error.ts";
import { confirm } from "./ask.ts";
import { keyPath } from "./client-key.ts";
import { clientNamed, recordOf } from "./known-client.ts";
import { unifiedDiff } from "./diff.ts";
import { textOf } from "./file-text.ts";
import type { ConnectRecord } from "./record.ts";
import { bringBack, planReturn, type Return } from "./return.ts";
import { userPlace } from "./user-place.ts";

/** Runs it; the exit code. */
export async function runDisconnect(given: Given): Promise<number> {
  if (given.word === undefined) throw new UsageError("name a client", "disconnect");
  const client = clientNamed(given.word, "disconnect");
  const store = recordOf(client, userPlace());
  const record = store.read();
  if (record === undefined) {
    console.log(`${client.name} is not connected. Nothing was changed.`);
    return 0;
  }
  const returns = record.files.map(planReturn);
  for (const line of returns.flatMap((one) => shownReturn(one, record.key)))
    console.log(printable(line));
  if (given.switches.has("dry-run")) return 0;
  if (!given.switches.has("yes") && !(await confirm("Undo these changes?"))) return 1;
  bringBack(returns);
  store.forget();
  console.log(`${client.name} is disconnected.`);
  if (!given.switches.has("keep-key")) await revoke(record, given);
  return 0;
}

function shownReturn({ found, bytes, stays }: Return, key: string): string[] {
  if (stays === true) return [`${found.file} has changed since and is left as it is.`];
  const before = found.bytes === undefined ? "" : textOf(found.file, found.bytes);
  const after = bytes === undefined ? "" : textOf(found.file, bytes);
  const removed = before !== "" && bytes === undefined;
  if (removed) return [`--- ${found.file} (removed: it did not exist before)`];
  const diff = unifiedDiff(found.file, before, after);
  return diff === undefined ? [] : [diff.replaceAll(key, `${key.slice(0, 6)}…`)];
}

/** A configuration that is taken back stays so where its key cannot be revoked: that is told. */
async function revoke({ made, url, key }: ConnectRecord, given: Given): Promise<void> {
  if (made === undefined) return;
  const name = `Its key ${key.slice(0, 6)}… `;
  try {
    const gateway = await reachGateway({ url, state: given.values["state"] });
    if (gateway.admin === undefined) throw new Error(`the admin token of ${url} is unknown here`);
    await gateway.admin.delete(keyPath(made));
    console.log(`${name}is revoked.`);
  } catch (error) {
    console.error(`${name}is still valid (${causeOf(error)}). Revoke it at ${url}/dashboard.`);
  }
}
