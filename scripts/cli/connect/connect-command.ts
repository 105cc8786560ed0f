/** `gateway connect`: shows what would change, asks, writes it, and lets the gateway answer one request with it. */
import { printable } from "../../host/printable.ts";
import { causeOf, sendTestRequest } from "../../host/running/test-request.ts";
import type { ConfigurableClient, GatewaySettings, UserPlace } from "../clients/client.ts";
import { toldClients } from "../clients/index.ts";
import type { Given } from "../command-line.ts";
import { commandName } from "../command-name.ts";
import { reachGateway, type ReachedGateway } from "../reach.ts";
import { confirm } from "./ask.ts";
import { harnessOf, keyOfBefore, keyPath, makeKey, type ClientKey } from "./client-key.ts";
import { listClients } from "./client-list.ts";
import { clientNamed, recordOf } from "./known-client.ts";
import { unifiedDiff } from "./diff.ts";
import { codexCatalogue, settingsWithoutKey } from "./gateway-settings.ts";
import { planFile, type PlannedFile } from "./plan.ts";
import { requestOf } from "./read-back.ts";
import type { ConnectRecord, RecordStore } from "./record.ts";
import { tellSettings } from "./tell.ts";
import { userPlace } from "./user-place.ts";
import { writePlan } from "./write.ts";

/** The placeholder in the files that are shown before the key is created. */
const keyToCome = "NEW_KEY";

/** Runs it; the exit code. */
export async function runConnect(given: Given): Promise<number> {
  if (given.word === undefined) return listClients();
  const told = toldClients.find(({ id }) => id === given.word);
  if (told !== undefined) return await tellSettings(told, given);
  return await connect(clientNamed(given.word, "connect"), given);
}

interface Connecting {
  readonly client: ConfigurableClient;
  readonly given: Given;
  readonly place: UserPlace;
  readonly store: RecordStore;
  readonly record: ConnectRecord | undefined;
  readonly gateway: ReachedGateway;
}

async function connect(client: ConfigurableClient, given: Given): Promise<number> {
  const place = userPlace();
  const store = recordOf(client, place);
  const gateway = await reachGateway(given.values);
  const connecting = { client, given, place, store, record: store.read(), gateway };
  const known = await knownKey(connecting);
  const harness =
    known === undefined || gateway.admin !== undefined ? await harnessFor(connecting) : undefined;
  const { url, admin } = gateway;
  const model = given.values["model"] ?? "auto";
  const settings = await settingsWithoutKey({ url, admin, harness, model });
  const complete = async (key: string): Promise<GatewaySettings> => ({
    ...settings,
    key,
    codexCatalogue: client.id === "codex" ? await codexCatalogue(url, key) : "",
  });
  const shown =
    known === undefined
      ? { ...settings, key: keyToCome, codexCatalogue: "" }
      : await complete(known.key);
  const diffs = differences(plan(connecting, shown), known?.key);
  if (diffs.length === 0) return await finish(connecting, shown, "is connected already");
  console.log(printable(diffs.join("\n")));
  if (given.switches.has("dry-run")) return 0;
  if (!given.switches.has("yes") && !(await confirm(`Write these changes?`))) return 1;
  const key = known ?? (await makeKey(adminOf(gateway), harness ?? "", client.name));
  const final = known === undefined ? await complete(key.key) : shown;
  return await write(connecting, key, final);
}

async function write(
  connecting: Connecting,
  key: ClientKey,
  settings: GatewaySettings,
): Promise<number> {
  const { client, store, gateway, record } = connecting;
  try {
    writePlan(plan(connecting, settings), {
      store,
      record: { client: client.id, url: gateway.url, ...key },
      earlier: record,
    });
  } catch (error) {
    if (key.made !== undefined && key.key !== record?.key)
      await gateway.admin?.delete(keyPath(key.made));
    throw error;
  }
  return await finish(connecting, settings, "is connected");
}

async function knownKey({ given, gateway, record }: Connecting): Promise<ClientKey | undefined> {
  const key = given.values["key"];
  return key === undefined ? await keyOfBefore(gateway.url, record) : { key };
}

async function harnessFor({ gateway, given, record }: Connecting): Promise<string> {
  const named = given.values["harness"] ?? record?.made?.harness;
  return await harnessOf(adminOf(gateway), named);
}

function adminOf({ url, admin }: ReachedGateway): NonNullable<ReachedGateway["admin"]> {
  if (admin !== undefined) return admin;
  throw new Error(
    `The admin token of ${url} is unknown here. Create a key on its dashboard and pass it with --key.`,
  );
}

function plan({ client, place, record }: Connecting, settings: GatewaySettings): PlannedFile[] {
  return client.files(place, settings).map((file) => planFile(file, record?.files ?? []));
}

/** With the key masked: terminals are shared and kept. A file of many lines is told by its size. */
function differences(planned: readonly PlannedFile[], key: string | undefined): string[] {
  return planned.flatMap(({ found, before, after }) => {
    if (after === "" && found.bytes === undefined)
      return [`+++ ${found.file} (new file from the gateway)`];
    if (after.length > 20_000 && before !== after)
      return [`+++ ${found.file} (${after.length} characters)`];
    const diff = unifiedDiff(found.file, before, after);
    if (diff === undefined) return [];
    return [key === undefined ? diff : diff.replaceAll(key, `${key.slice(0, 6)}…`)];
  });
}

async function finish(
  { client, given, place, store }: Connecting,
  settings: GatewaySettings,
  done: string,
): Promise<number> {
  console.log(`${client.name} ${done} to ${settings.url}.`);
  if (store.read()?.files.some(({ original }) => original !== undefined) === true)
    console.log(
      `The previous configuration is kept in ${store.folder}; ${commandName()} disconnect ${client.id} restores it.`,
    );
  for (const line of client.notes?.(place, settings) ?? []) console.log(line);
  if (given.switches.has("no-test")) return 0;
  return await test(client, place, settings);
}

/** With what the files say now: what was written wrongly fails here. */
async function test(
  client: ConfigurableClient,
  place: UserPlace,
  settings: GatewaySettings,
): Promise<number> {
  try {
    const answer = await sendTestRequest(requestOf(client, client.files(place, settings)));
    if (answer.ok) console.log(`Tested: ${answer.model} answered.`);
    else
      console.error(`The configuration is written, but the test request failed: ${answer.message}`);
    return answer.ok ? 0 : 3;
  } catch (error) {
    console.error(`The configuration is written, but could not be tested: ${causeOf(error)}`);
    return 3;
  }
}
