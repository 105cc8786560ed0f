/** Credentials in rows of a backup: sealed with the file's own key there, and with the deployment's in its tables. */
import type { Config } from "../../store/config.ts";
import { keyringOf, type Keyring } from "../../store/keyring.ts";
import { renewedConfig } from "../../store/secrets.ts";
import { renewedWebhookSecret } from "../../store/webhook-secrets.ts";
import type { StagedRows } from "../storage/sql/staged-tables.ts";

/** Whose credentials they are, and the keys that open them; the first one seals them. */
export interface Resealing {
  readonly workspace: string;
  readonly ring: Keyring;
}

/** Seals for a file with this key, base64. */
export async function ringOfFile(credentialKey: string, encryptionKeys: string): Promise<Keyring> {
  return await keyringOf(`${credentialKey},${encryptionKeys}`);
}

/** Seals for the deployment, and opens what a file with this key has. */
export async function ringForFile(credentialKey: string, encryptionKeys: string): Promise<Keyring> {
  return await keyringOf(`${encryptionKeys},${credentialKey}`);
}

/** The rows with their credentials sealed by the first key; what cannot be opened stays as it is. */
export async function resealedRows(given: StagedRows, resealing: Resealing): Promise<StagedRows> {
  switch (given.table) {
    case "meta":
      return await changed(given, "value", async (text, row) =>
        row[given.columns.indexOf("name")] === "document"
          ? await resealedDocument(text, resealing)
          : text,
      );
    case "versions":
      return await changed(given, "document", (text) => resealedDocument(text, resealing));
    case "webhooks":
      return await changed(given, "sealed_secret", async (text, row) => {
        const place = {
          workspace: resealing.workspace,
          id: String(row[given.columns.indexOf("id")]),
        };
        return (await renewedWebhookSecret(text, place, resealing.ring)) ?? text;
      });
    default:
      return given;
  }
}

type Row = StagedRows["rows"][number];

async function changed(
  { table, columns, rows }: StagedRows,
  column: string,
  change: (text: string, row: Row) => Promise<string>,
): Promise<StagedRows> {
  const at = columns.indexOf(column);
  const after = rows.map(async (row) => {
    const text = row[at];
    return typeof text === "string" ? row.with(at, await change(text, row)) : row;
  });
  return { table, columns, rows: await Promise.all(after) };
}

async function resealedDocument(text: string, resealing: Resealing): Promise<string> {
  // A document as it is stored; that of a file is checked before it is used.
  const config = JSON.parse(text) as Config;
  const renewed = await renewedConfig(config, resealing);
  return renewed === undefined ? text : JSON.stringify(renewed);
}
