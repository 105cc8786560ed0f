/** Versions of the document: listed with what changed, compared with the present one, put back. */
import * as z from "zod";
import { type Config, configSchema } from "../../store/config.ts";
import { shapeProblem } from "../../store/document.ts";
import { keyringOf } from "../../store/keyring.ts";
import { openedConfig } from "../../store/secrets.ts";
import type { DocumentChanges, DocumentVersion } from "../../workspace/contract/audit.ts";
import { keptVersions } from "../../workspace/storage/versions.ts";
import { documentChanges } from "../../workspace/rules/document-changes.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { type AdminScope, askNewMethod, readSnapshot } from "../shared/scope.ts";
import { actorSchema } from "./audit.ts";
import { configConflict, sealedFor, storeConfig } from "./config.ts";

const changeViewSchema = z.strictObject({
  /** Entries of lists by their ids: `providers.lab.base_url`. */
  path: z.string(),
  before: z.json().optional(),
  after: z.json().optional(),
});
/** One difference between two versions, secrets masked. */
export type ChangeView = z.infer<typeof changeViewSchema>;

const versionViewSchema = z.strictObject({
  n: z.number(),
  time: z.string(),
  actor: actorSchema,
  /** Against the version before; none in the first. */
  changes: z.array(changeViewSchema),
  /** Further changes, that are not listed. */
  more_changes: z.number().optional(),
});
/** A version of the document, as it is listed. */
export type VersionView = z.infer<typeof versionViewSchema>;

/** The last versions, newest first; the newest is in force. */
export async function listVersions(scope: AdminScope): Promise<VersionView[]> {
  return (await versionsOf(scope, keptVersions)).map(({ n, time, actor, ...found }) => ({
    n,
    time,
    actor,
    ...changesView(found),
  }));
}

async function versionsOf(scope: AdminScope, limit: number): Promise<DocumentVersion[]> {
  return await askNewMethod(
    scope,
    (stub) => stub.versions(limit),
    async () => [],
  );
}

/** What two documents differ in, as it is shown. */
export type ChangesView = Pick<VersionView, "changes" | "more_changes">;

function changesView({ changes, more }: DocumentChanges): ChangesView {
  // Values of documents, which are JSON.
  const list = changes as ChangeView[];
  return { changes: list, ...(more > 0 && { more_changes: more }) };
}

/** What putting the version back would change now; 404 when there is no such version, 400 when it breaks a rule of today. */
export async function previewRestore(scope: AdminScope, n: number): Promise<ChangesView> {
  const version = await openedVersion(scope, n);
  const { config: stored } = await readSnapshot(scope);
  return changesView(documentChanges(stored, await sealedFor(scope, version, stored)));
}

/** Puts the version back as a new one; keys that were revoked stay revoked. Returns the document, masked. */
export async function restoreVersion(scope: AdminScope, n: number): Promise<Config> {
  return await restoreIf(scope, n, async () => undefined);
}

/** Puts back what was before version `n`; 409 when that is not the newest any more, or the first of all. */
export async function undoVersion(scope: AdminScope, n: number): Promise<Config> {
  const before = await versionBefore(scope, n);
  return await restoreIf(scope, before, async () => {
    await versionBefore(scope, n);
  });
}

/** Number of the version before `n`, while `n` is the newest. */
async function versionBefore(scope: AdminScope, n: number): Promise<number> {
  const [newest, before] = await versionsOf(scope, 2);
  if (newest?.n !== n || before === undefined)
    throw configConflict("The configuration was changed again. Choose a version from the history.");
  return before.n;
}

async function restoreIf(
  scope: AdminScope,
  n: number,
  check: () => Promise<void>,
): Promise<Config> {
  const version = await openedVersion(scope, n);
  const { actor } = scope.caller;
  return await storeConfig(scope, {
    next: async () => {
      await check();
      return version;
    },
    put: (stub, config, generation) =>
      stub.restoreConfig({ config, generation, restored: n }, actor),
  });
}

/**
 * The version with its secrets in plain text, so that those that are stored still stay as they are. One that cannot be
 * opened any more is `***`, which means the one that is stored now.
 */
async function openedVersion({ env, workspace, ...rest }: AdminScope, n: number): Promise<Config> {
  const document = await askNewMethod(
    { env, workspace, ...rest },
    (stub) => stub.versionDocument(n),
    async () => undefined,
  );
  if (document === undefined) throw notFound(`there is no version ${n}`);
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const parsed = configSchema.safeParse(await openedConfig(document, { workspace, ring }));
  // An older version of the gateway may have allowed what this one does not.
  if (!parsed.success) throw shapeProblem(parsed.error.issues);
  return parsed.data;
}

/** The version that this caller made just now; undefined when the newest is another's, older, or the first of all. */
export async function ownNewestVersion(scope: AdminScope): Promise<number | undefined> {
  const [newest, before] = await versionsOf(scope, 2);
  if (newest === undefined || before === undefined) return undefined;
  const { type, id } = scope.caller.actor;
  const isOwn = newest.actor.type === type && newest.actor.id === id;
  return isOwn && Date.parse(newest.time) > Date.now() - justNow ? newest.n : undefined;
}

/** Milliseconds for which a change can be undone from where it was made. */
const justNow = 60_000;

/** The number of a version in a path; 404 for anything else. */
export function versionNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound(`there is no version ${JSON.stringify(text)}`);
  return Number(text);
}

/** The routes of the document's versions. */
export const adminHistoryRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/history",
      summary: "The last 50 versions of the document, newest first, with what changed",
      access: "read",
      status: 200,
      answer: z.strictObject({ data: z.array(versionViewSchema) }),
    },
    async (_input, { scope }) => ({ data: await listVersions(scope) }),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/history/{n}/restore",
      summary: "Put a version of the document back, as a new version",
      access: "write",
      status: 200,
      answer: configSchema,
    },
    ({ params }, { scope }) => restoreVersion(scope, versionNumber(params.n)),
  ),
] as const;
