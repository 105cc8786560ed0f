/** The key that a client connects with: one that is given, the one of before, or a new one. */
import os from "node:os";
import type { Admin } from "../../host/running/admin.ts";
import type { ConnectRecord } from "./record.ts";

/** A key, and its place in the admin API where it was made here. */
export interface ClientKey {
  readonly key: string;
  readonly made?: { readonly harness: string; readonly id: string };
}

/** The key of an earlier connect, where the gateway still takes it. */
export async function keyOfBefore(
  url: string,
  record: ConnectRecord | undefined,
): Promise<ClientKey | undefined> {
  if (record === undefined || record.url !== url) return undefined;
  const { key, made } = record;
  return (await isValidKey(url, key)) ? { key, ...(made !== undefined && { made }) } : undefined;
}

/** Whether the gateway takes it. */
export async function isValidKey(url: string, key: string): Promise<boolean> {
  // No header can carry it, and the error that says so would quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) return false;
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status !== 401;
}

/** The harness that is named, else the first. Throws, in words, where there is none. */
export async function harnessOf(admin: Admin, named: string | undefined): Promise<string> {
  // The admin API's own answer: its shape is the document's.
  const { harnesses = [] } = (await admin.get("/api/config")) as { harnesses?: { id: string }[] };
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
  const { key, id } = (await admin.post(`/api/harnesses/${harness}/keys`, { name })) as {
    key: string;
    id: string;
  };
  return { key, made: { harness, id } };
}

/** Where a key lies in the admin API. */
export function keyPath({ harness, id }: { harness: string; id: string }): string {
  return `/api/harnesses/${encodeURIComponent(harness)}/keys/${encodeURIComponent(id)}`;
}
