/** Versions of the document: listed with what changed, compared with the present one, put back. */
import * as z from "zod";
import { type Config, configSchema } from "../../../store/config.ts";
import { shapeProblem } from "../../../store/document.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { openedConfig } from "../../../store/secrets.ts";
import { changeWays, type DocumentVersion } from "../../../workspace/contract/audit.ts";
import { keptVersions } from "../../../workspace/storage/tables/versions.ts";
import { defineRoute } from "../../shared/define-route.ts";
import {
  changesView,
  changeViewSchema,
  type ConfigPreview,
  previewConfig,
} from "../../shared/document/config-preview.ts";
import { configConflict, notFound } from "../../shared/errors.ts";
import { type AdminScope, askNewMethod, readSnapshot } from "../../shared/scope.ts";
import { lastVersions } from "../../shared/document/versions.ts";
import { actorSchema } from "../events/audit.ts";
import { type ChangeDemand, sealedNext, storeConfig } from "./config.ts";

const versionViewSchema = z.strictObject({
  n: z.number(),
  time: z.string(),
  actor: actorSchema,
  /** How it was made; missing where that is not known. */
  way: z.enum(changeWays).exactOptional(),
  /** The version that was put back by it. */
  restored: z.number().exactOptional(),
  /** Against the version before; none in the first. */
  changes: z.array(changeViewSchema),
  /** Further changes, that are not listed. */
  more_changes: z.number().exactOptional(),
});
/** A version of the document, as it is listed. */
export type VersionView = z.infer<typeof versionViewSchema>;

/** The last versions, newest first; the newest is in force. */
export async function listVersions(scope: AdminScope): Promise<VersionView[]> {
  return (await lastVersions(scope, keptVersions)).map(versionView);
}

function versionView({ n, time, actor, way, restored, ...found }: DocumentVersion): VersionView {
  return {
    n,
    time,
    actor,
    ...(way !== undefined && { way }),
    ...(restored !== undefined && { restored }),
    ...changesView(found),
  };
}

/** What putting the version back would change now; 404 when there is no such version, 400 when it breaks a rule of today. */
export async function previewRestore(scope: AdminScope, n: number): Promise<ConfigPreview> {
  const version = await openedVersion(scope, n);
  const stored = await readSnapshot(scope);
  const next = await sealedNext(scope, version, stored);
  return await previewConfig(scope, { stored, next, restored: n });
}

/**
 * Puts the version back as a new one, with the keys of harnesses that later changes removed; keys that were revoked stay
 * revoked. Returns the document, masked.
 */
export async function restoreVersion(
  scope: AdminScope,
  n: number,
  check: ChangeDemand["check"] = () => undefined,
): Promise<Config> {
  return await restoreIf(scope, n, { check });
}

/** Puts back what was before version `n`; 409 when that is not the newest any more, or the first, or would stop a key. */
export async function undoVersion(scope: AdminScope, n: number): Promise<Config> {
  const before = await versionBefore(scope, n);
  return await restoreIf(scope, before, {
    way: "undo",
    check: async (stored, next) => {
      await versionBefore(scope, n);
      const { stops_keys: keys } = await previewConfig(scope, { stored, next, restored: before });
      if (keys.length > 0) throw configConflict(losingWords(keys.length, before));
    },
  });
}

function losingWords(keys: number, version: number): string {
  return `${keys === 1 ? "1 key" : `${keys} keys`} created since then would stop working. Restore version ${version} to confirm.`;
}

/** Number of the version before `n`, while `n` is the newest. */
async function versionBefore(scope: AdminScope, n: number): Promise<number> {
  const [newest, before] = await lastVersions(scope, 2);
  if (newest?.n !== n || before === undefined)
    throw configConflict("The configuration was changed again. Choose a version from the history.");
  return before.n;
}

async function restoreIf(scope: AdminScope, n: number, demand: ChangeDemand): Promise<Config> {
  const version = await openedVersion(scope, n);
  return await storeConfig(scope, {
    way: "restore",
    ...demand,
    next: async () => version,
    restored: n,
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
  if (document === undefined) throw notFound(`There is no version ${n}`);
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const parsed = configSchema.safeParse(await openedConfig(document, { workspace, ring }));
  // An older version of the gateway may have allowed what this one does not.
  if (!parsed.success) throw shapeProblem(parsed.error.issues);
  return parsed.data;
}

/** That version, if this caller made it just now and it is in force; undefined for the first of all. */
export async function ownNewestVersion(
  scope: AdminScope,
  n: number,
): Promise<VersionView | undefined> {
  const [newest, before] = await lastVersions(scope, 2);
  if (newest?.n !== n || before === undefined) return undefined;
  const { type, id } = scope.caller.actor;
  const isOwn = newest.actor.type === type && newest.actor.id === id;
  return isOwn && Date.parse(newest.time) > Date.now() - justNow ? versionView(newest) : undefined;
}

/** Milliseconds for which a change can be undone from where it was made. */
const justNow = 600_000;

/** The number of a version in a path; 404 for anything else. */
export function versionNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound(`There is no version ${JSON.stringify(text)}`);
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
      summary: "Restore a version of the document, as a new version",
      access: "write",
      status: 200,
      answer: configSchema,
    },
    ({ params }, { scope }) => restoreVersion(scope, versionNumber(params.n)),
  ),
] as const;
