/** `gateway connect`: shows what would change, asks, writes it, and lets the gateway answer one request with it. */
import { printable } from "../../host/printable.ts";
import { causeOf, sendTestRequest, type TestAnswer } from "../../host/running/test-request.ts";
import { UsageError } from "../../host/usage-error.ts";
import type { ConfigurableClient, GatewaySettings, UserPlace } from "../clients/client.ts";
import { toldClients } from "../clients/index.ts";
import type { Given } from "../command-line.ts";
import { commandName } from "../command-name.ts";
import { checkWritable } from "../files/disk-file.ts";
import { UneditableText } from "../files/member.ts";
import { answersAt, reachGateway, type ReachedGateway } from "../reach.ts";
import { confirm } from "./ask.ts";
import { harnessOf, keyOfBefore, keyPath, makeKey, type ClientKey } from "./client-key.ts";
import { listClients } from "./client-list.ts";
import { clientNamed, recordOf } from "./known-client.ts";
import { unifiedDiff } from "./diff.ts";
import { codexCatalogue, settingsWithoutKey } from "./gateway-settings.ts";
import { masked, secretsIn } from "./mask.ts";
import { planFile, type PlannedFile } from "./plan.ts";
import { requestOf, whyUnread } from "./read-back.ts";
import type { ConnectRecord, RecordStore } from "./record.ts";
import { revokeKey } from "./revoke-key.ts";
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
  const record = store.read();
  const gateway = await reachGateway(given.values);
  const connecting = { client, given, place, store, record, gateway };
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
  const planned = plan(connecting, shown);
  const diffs = differences(planned, [known?.key, record?.key]);
  if (diffs.length === 0) return await finish(connecting, shown, "is connected already");
  for (const { found, before, after } of planned) if (before !== after) checkWritable(found);
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
  const code = await finish(connecting, settings, "is connected");
  if (record !== undefined && record.key !== key.key)
    await revokeKey(record, {
      state: connecting.given.values["state"],
      words: "Its earlier key",
    });
  return code;
}

async function knownKey({ given, gateway, record }: Connecting): Promise<ClientKey | undefined> {
  const key = given.values["key"];
  if (key === undefined)
    return await keyOfBefore({ gateway, record, harness: given.values["harness"] });
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError("--key: a key has no blanks and only ASCII letters", "connect");
  // The one that connect made stays its own: disconnect revokes it.
  return key === record?.key ? { key, ...(record.made && { made: record.made }) } : { key };
}

async function harnessFor({ gateway, given, record }: Connecting): Promise<string> {
  const { url } = gateway;
  if (gateway.admin === undefined && !(await answersAt(url)))
    throw new Error(`No gateway answers at ${url}. Start it, or check the address.`);
  const named = given.values["harness"] ?? record?.made?.harness;
  return await harnessOf(adminOf(gateway), named);
}

function adminOf({ url, admin }: ReachedGateway): NonNullable<ReachedGateway["admin"]> {
  if (admin !== undefined) return admin;
  throw new Error(
    `The admin token of ${url} is unknown here. Set ADMIN_TOKEN as the gateway was started with, or create a key on its dashboard and pass it with --key.`,
  );
}

function plan(connecting: Connecting, settings: GatewaySettings): PlannedFile[] {
  const { client, place, record, gateway } = connecting;
  try {
    return client.files(place, settings).map((file) => planFile(file, record?.files ?? []));
  } catch (error) {
    if (!(error instanceof Error && error.cause instanceof UneditableText)) throw error;
    throw new Error(`${error.message} See ${gateway.url}/docs/${client.guide}`, { cause: error });
  }
}

/** With secrets masked. A file of many lines is told by its size. */
function differences(
  planned: readonly PlannedFile[],
  keys: readonly (string | undefined)[],
): string[] {
  return planned.flatMap(({ found, before, after, insertions }) => {
    if (after === "" && found.bytes === undefined)
      return [`+++ ${found.file} (new file from the gateway)`];
    if (after.length > 20_000 && before !== after)
      return [`+++ ${found.file} (${after.length} characters)`];
    const diff = unifiedDiff(found.file, before, after);
    if (diff === undefined) return [];
    const format = insertions?.format;
    const theirs = format === undefined ? [] : secretsIn(format, before);
    return [masked(diff, [...keys, ...theirs])];
  });
}

/** Tests with what the files say now: what was written wrongly fails here. */
async function finish(
  { client, given, place, store }: Connecting,
  settings: GatewaySettings,
  done: string,
): Promise<number> {
  const untested = given.switches.has("no-test") || given.switches.has("dry-run");
  const answer = untested ? undefined : await test(client, place, settings);
  if (answer?.ok === false) {
    console.error(
      `${client.name} is configured for ${settings.url}, but the test request failed: ${answer.message}`,
    );
    const name = commandName();
    console.error(`Correct that and run this again, or undo it: ${name} disconnect ${client.id}`);
    return 3;
  }
  console.log(`${client.name} ${done} to ${settings.url}.`);
  if (store.read()?.files.some(({ original }) => original !== undefined) === true)
    console.log(
      `The previous configuration is kept in ${store.folder}; ${commandName()} disconnect ${client.id} restores it.`,
    );
  for (const line of client.notes?.(place, settings) ?? []) console.log(line);
  if (answer !== undefined) console.log(`Tested: ${answer.model} answered.`);
  const unread = untested ? undefined : whyUnread(client, client.files(place, settings));
  if (unread !== undefined) console.error(`Warning: ${unread}`);
  return 0;
}

async function test(
  client: ConfigurableClient,
  place: UserPlace,
  settings: GatewaySettings,
): Promise<TestAnswer> {
  try {
    return await sendTestRequest(requestOf(client, client.files(place, settings)));
  } catch (error) {
    return { ok: false, message: causeOf(error) };
  }
}
