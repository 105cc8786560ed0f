/**
 * What an administrator can do to one workspace, as plain functions: the admin API's routes and the
 * dashboard's pages call these and nothing else.
 */
import { Problem } from "../core/problem.ts";
import { newId } from "../lib/ids.ts";
import { calling, type WorkspaceStub, workspaceStub } from "../workspace/remote.ts";
import type { BlockRecord, LimitView, LoggedRow } from "../workspace/contract/reports.ts";
import { type Config, configSchema } from "../store/config.ts";
import { checkDocument, checkTree, type ProviderCheck, shapeProblem } from "../store/document.ts";
import type { Env } from "../store/env.ts";
import { keyringOf } from "../store/keyring.ts";
import { hashKey, makeKey } from "../store/keys.ts";
import { maskedConfig, sealedConfig } from "../store/secrets.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import type { NewKey } from "./schemas.ts";

/** The workspace that is acted on, and what is needed for it. */
export interface Office {
  env: Env;
  workspace: string;
  checkProvider: ProviderCheck;
}

/** The largest document, in bytes of its JSON text: a row of the object and a value in KV hold two megabytes. */
const longestDocument = 1_900_000;

/** Admin requests name things that are not there with the table's 404. */
export function notFound(message: string): Problem {
  return new Problem("M301", message);
}

/** Asks the object of the office's workspace. */
export function ask<Answer>(
  office: Office,
  call: (stub: WorkspaceStub) => Promise<Answer>,
): Promise<Answer> {
  return calling(() => workspaceStub(office.env, office.workspace), call);
}

/** The snapshot as the object holds it, secrets sealed. */
export function readSnapshot(office: Office): Promise<Snapshot> {
  return ask(office, (stub) => stub.snapshot());
}

/** The document with `***` in the place of every secret. */
export async function readConfig(office: Office): Promise<Config> {
  return maskedConfig((await readSnapshot(office)).config);
}

/** Replaces the document, or throws the first fault and changes nothing. Answers the document as it is shown. */
export async function replaceConfig(office: Office, body: unknown): Promise<Config> {
  checkTree(body);
  const parsed = configSchema.safeParse(body);
  if (!parsed.success) throw shapeProblem(parsed.error.issues);
  const config = parsed.data;
  checkDocument(config, office.checkProvider);
  const ring = await keyringOf(office.env.ENCRYPTION_KEY);
  // Another change may come in between; its document is then the one whose secrets are kept.
  for (let tries = 0; tries < 5; tries += 1) {
    const { config: stored, generation } = await readSnapshot(office);
    const sealed = await sealedConfig(config, { workspace: office.workspace, stored, ring });
    if (new TextEncoder().encode(JSON.stringify(sealed)).length > longestDocument) {
      throw new Problem("M300", "body: the document is too large", { status: 413 });
    }
    const { ok } = await ask(office, (stub) => stub.putConfig(sealed, generation));
    if (ok) return maskedConfig(sealed);
  }
  throw new Problem("M500", "The configuration is being changed from elsewhere. Try again.", {
    status: 409,
  });
}

/** Changes the document as it stands now; `change` gets it masked and answers the whole of the new one. */
export async function editConfig(
  office: Office,
  change: (config: Config) => unknown,
): Promise<Config> {
  return replaceConfig(office, change(await readConfig(office)));
}

export interface MadeKey {
  id: string;
  /** The text, shown this once. */
  key: string;
  name: string;
  created_at: string;
}

export async function createKey(office: Office, harness: string, wish: NewKey): Promise<MadeKey> {
  const text = await makeKey(office.workspace, await keyringOf(office.env.ENCRYPTION_KEY));
  const record: KeyRecord = {
    id: newId("key_"),
    name: wish.name ?? "",
    harness,
    hash: await hashKey(text),
    last4: text.slice(-4),
    created_at: new Date().toISOString(),
    expires_at:
      typeof wish.expires_at === "string" ? new Date(wish.expires_at).toISOString() : null,
    last_used_at: null,
  };
  const made = await ask(office, (stub) => stub.createKey(record));
  if (!made) throw noHarness(harness);
  return { id: record.id, key: text, name: record.name, created_at: record.created_at };
}

/** A key as it is shown: everything but its hash. */
export type ShownKey = Omit<KeyRecord, "hash" | "harness">;

/** Oldest first. */
export async function listKeys(office: Office, harness: string): Promise<ShownKey[]> {
  const keys = await ask(office, (stub) => stub.listKeys(harness));
  if (keys === undefined) throw noHarness(harness);
  return keys.map(({ hash: _hash, harness: _harness, ...shown }) => shown);
}

export async function deleteKey(office: Office, harness: string, id: string): Promise<void> {
  const deleted = await ask(office, (stub) => stub.deleteKey(harness, id));
  if (!deleted)
    throw notFound(`harness ${JSON.stringify(harness)} has no key ${JSON.stringify(id)}`);
}

export function noHarness(harness: string): Problem {
  return notFound(`there is no harness ${JSON.stringify(harness)}`);
}

/** Every limit with what is used of it. */
export function listLimits(office: Office): Promise<LimitView[]> {
  return ask(office, (stub) => stub.limits());
}

/** A limit that blocked or was crossed, times in ISO 8601 UTC. */
export type ShownBlock = Omit<BlockRecord, "first" | "last" | "start"> & {
  period_start: string;
  first: string;
  last: string;
};

/** Newest first; one entry a limit and period. */
export async function listBlocks(office: Office): Promise<ShownBlock[]> {
  const blocks = await ask(office, (stub) => stub.blocks(200));
  return blocks.map(({ start, first, last, ...block }) => ({
    ...block,
    period_start: isoTime(start),
    first: isoTime(first),
    last: isoTime(last),
  }));
}

export interface ShownStatus {
  in_flight: number;
  requests_per_minute: { limit: number; remaining: number } | null;
  monthly_requests: { limit: number | null; used: number };
  /** Model id to the time until which it is tried last. */
  cooling: Record<string, string>;
}

export async function readStatus(office: Office): Promise<ShownStatus> {
  const { inFlight, rate, monthly, cooling } = await ask(office, (stub) => stub.status());
  return {
    in_flight: inFlight,
    requests_per_minute: rate === null ? null : { limit: rate.limit, remaining: rate.remaining },
    monthly_requests: monthly,
    cooling: Object.fromEntries(Object.entries(cooling).map(([id, until]) => [id, isoTime(until)])),
  };
}

export interface Changes {
  /** For the next question. */
  seq: number;
  /** Of the document. */
  generation: number;
  /** Oldest first. */
  rows: LoggedRow[];
}

/** Rows of the log that came after `seq`; memory only, cheap enough to ask every second. */
export function changesSince(office: Office, seq: number): Promise<Changes> {
  return ask(office, (stub) => stub.changesSince(seq));
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
