/** The key that a client connects with: one that is given, the one of before, or a new one. */
import os from "node:os";
import type { Admin } from "../../host/running/admin.ts";
import type { ReachedGateway } from "../reach.ts";
import type { ConnectRecord } from "./record.ts";

/** A key, and its place in the admin API where it was made here. */
export interface ClientKey {
  readonly key: string;
  readonly made?: { readonly harness: string; readonly id: string };
}

/** The gateway that a client is connected to, and what was remembered of it. */
export interface KeyAsked {
  readonly gateway: ReachedGateway;
  readonly record: ConnectRecord | undefined;
  /** The harness that is asked for. */
  readonly harness: string | undefined;
}

/** The key of an earlier connect, where the gateway still takes it: also at another address than then. */
export async function keyOfBefore({
  gateway,
  record,
  harness,
}: KeyAsked): Promise<ClientKey | undefined> {
  if (record === undefined) return undefined;
  const { key, made, url } = record;
  if (harness !== undefined && harness !== made?.harness) return undefined;
  // To another gateway no key is sent.
  if (url !== gateway.url && !(await isMadeThere(gateway.admin, made))) return undefined;
  return (await isValidKey(gateway.url, key)) ? { key, ...(made && { made }) } : undefined;
}

/** Whether that gateway has the key that connect made. */
export async function isMadeThere(
  admin: Admin | undefined,
  made: ClientKey["made"],
): Promise<boolean> {
  if (admin === undefined || made === undefined) return false;
  const { harnesses = [] } = await configuration(admin);
  if (!harnesses.some(({ id }) => id === made.harness)) return false;
  // The admin API's own answer.
  const { data } = (await admin.get(keysPath(made.harness))) as { data: { id: string }[] };
  return data.some(({ id }) => id === made.id);
}

/** What is read of the document: its shape is the admin API's. */
async function configuration(admin: Admin): Promise<{ harnesses?: { id: string }[] }> {
  return (await admin.get("/api/config")) as { harnesses?: { id: string }[] };
}

/** How long a gateway may take to look at a key, ms. */
const patience = 10_000;

/** Whether the gateway takes it. */
export async function isValidKey(url: string, key: string): Promise<boolean> {
  // No header can carry it, and the error that says so would quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) return false;
  const answer = await fetch(`${url}/v1/models`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(patience),
  });
  await answer.arrayBuffer();
  return answer.status !== 401;
}

/** The harness that is named, else the first. Throws, in words, where there is none. */
export async function harnessOf(admin: Admin, named: string | undefined): Promise<string> {
  const { harnesses = [] } = await configuration(admin);
  const ids = harnesses.map(({ id }) => id);
  const id = named ?? ids[0];
  if (id !== undefined && ids.includes(id)) return id;
  throw new Error(
    named === undefined
      ? "The gateway has no harness. Create one on the dashboard first."
      : `There is no harness ${named}. Choose one of: ${ids.join(", ")}.`,
  );
}

/** A new key, named after the client and this machine. */
export async function makeKey(admin: Admin, harness: string, client: string): Promise<ClientKey> {
  const name = `${client} on ${os.hostname()}`;
  // The admin API's own answer.
  const { key, id } = (await admin.post(keysPath(harness), { name })) as {
    key: string;
    id: string;
  };
  return { key, made: { harness, id } };
}

/** Where a key lies in the admin API. */
export function keyPath({ harness, id }: { harness: string; id: string }): string {
  return `${keysPath(harness)}/${encodeURIComponent(id)}`;
}

function keysPath(harness: string): string {
  return `/api/harnesses/${encodeURIComponent(harness)}/keys`;
}
