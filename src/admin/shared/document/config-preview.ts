/** What putting a document in force would change, said before anything is changed. */
import * as z from "zod";
import type { Config } from "../../../store/config.ts";
import type { Snapshot } from "../../../store/snapshot.ts";
import type { DocumentChanges, KeysTouched, NamedKey } from "../../../workspace/contract/audit.ts";
import { documentChanges } from "../../../workspace/rules/audit/document-changes.ts";
import { type AdminScope, askNewMethod } from "../scope.ts";

/** One difference between two documents, secrets masked. */
export const changeViewSchema = z.strictObject({
  /** Entries of lists by their ids: `providers.lab.base_url`. */
  path: z.string(),
  before: z.json().optional(),
  after: z.json().optional(),
});
/** One difference between two documents. */
export type ChangeView = z.infer<typeof changeViewSchema>;

const namedKeySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  harness: z.string(),
  last4: z.string(),
});

/** What a change of the document would do. */
export const configPreviewSchema = z.strictObject({
  dry_run: z.literal(true),
  changes: z.array(changeViewSchema),
  /** Further changes, that are not listed. */
  more_changes: z.number().exactOptional(),
  /** Ids of what the document would have no longer. */
  removes: z.strictObject({ providers: z.array(z.string()), harnesses: z.array(z.string()) }),
  /** Keys that would stop working, with their harnesses. */
  stops_keys: z.array(namedKeySchema),
  /** Keys that would work again. */
  returns_keys: z.array(namedKeySchema),
});
/** What a change of the document would do. */
export type ConfigPreview = z.infer<typeof configPreviewSchema>;

/** What two documents differ in, as it is shown. */
export type ChangesView = Pick<ConfigPreview, "changes" | "more_changes">;

/** Differences as they are shown. */
export function changesView({ changes, more }: DocumentChanges): ChangesView {
  // Values of documents, which are JSON.
  const list = changes as ChangeView[];
  return { changes: list, ...(more > 0 && { more_changes: more }) };
}

/** A document, secrets sealed, that may take the place of the stored one. */
interface NextDocument {
  readonly stored: Snapshot;
  readonly next: Config;
  /** The version that it is. */
  readonly restored?: number;
}

/** What putting it in force would change now. */
export async function previewConfig(
  scope: AdminScope,
  { stored, next, restored }: NextDocument,
): Promise<ConfigPreview> {
  const { config } = stored;
  const touched = await askNewMethod(
    scope,
    (stub) => stub.keysTouched(next, restored),
    async (): Promise<KeysTouched> => ({ stopping: [], returning: [] }),
  );
  return {
    dry_run: true,
    ...changesView(documentChanges(config, next)),
    removes: {
      providers: missingIds(config.providers, next.providers),
      harnesses: missingIds(config.harnesses, next.harnesses),
    },
    stops_keys: touched.stopping.map(keyView),
    returns_keys: touched.returning.map(keyView),
  };
}

type Entries = readonly { readonly id: string }[] | undefined;

function missingIds(before: Entries, after: Entries): string[] {
  const kept = new Set((after ?? []).map(({ id }) => id));
  return (before ?? []).map(({ id }) => id).filter((id) => !kept.has(id));
}

function keyView({ id, name, harness, last4 }: NamedKey): ConfigPreview["stops_keys"][number] {
  return { id, name, harness, last4 };
}
