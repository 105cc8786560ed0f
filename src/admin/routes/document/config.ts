/** The workspace's document: providers, harnesses, routing and limits. */
import * as z from "zod";
import { invalid, Problem, problemCodes } from "../../../core/problem.ts";
import { entryProblem } from "../../../providers/connection/check-entry.ts";
import { type Config, configSchema } from "../../../store/config.ts";
import { checkDocument, checkTree, shapeProblem } from "../../../store/document.ts";
import { modeOf, reachOf } from "../../../store/env.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { oidcOf } from "../../../store/oidc-settings.ts";
import { maskedConfig, sealedConfig } from "../../../store/secrets.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { groupsSaved } from "../../shared/membership/memberships.ts";
import { configConflict } from "../../shared/errors.ts";
import { configPreviewSchema, previewConfig } from "../../shared/document/config-preview.ts";
import { checkSeen } from "../../shared/document/seen-changes.ts";
import type { Snapshot } from "../../../store/snapshot.ts";
import type { ChangeWay } from "../../../workspace/contract/audit.ts";
import { type AdminScope, askNewMethod, readSnapshot } from "../../shared/scope.ts";

/** The largest document, in bytes of its JSON text: a row of the object and a value in KV hold two megabytes. */
export const longestDocument = 1_900_000;
/** How often a replacement is tried anew when another one came in between. */
const mostTries = 5;

/** The document with `***` in the place of every secret. */
export async function readConfig(scope: AdminScope): Promise<Config> {
  return maskedConfig((await readSnapshot(scope)).config);
}

/** A document of the right shape. Throws its first fault, with the path. */
export function configFrom(document: unknown): Config {
  checkTree(document);
  const parsed = configSchema.safeParse(document);
  if (!parsed.success) throw shapeProblem(parsed.error.issues);
  return parsed.data;
}

/** Replaces the document, or throws its first fault and changes nothing. Returns the new document, masked. */
export async function replaceConfig(
  scope: AdminScope,
  document: unknown,
  demand: ChangeDemand = {},
): Promise<Config> {
  const config = configFrom(document);
  return await storeConfig(scope, { ...demand, next: async () => config });
}

/**
 * Changes the document as it stands now: `change` gets it masked and returns the whole of the new one. Throws 409 where
 * it would overwrite what others changed since the caller looked (`scope.seen`).
 */
export async function editConfig(
  scope: AdminScope,
  change: (config: Config) => unknown,
): Promise<Config> {
  return await storeConfig(scope, {
    next: async (stored) => configFrom(change(maskedConfig(stored))),
    check: (stored, next) => checkSeen(scope, stored, next),
  });
}

/** What must hold for a change. */
export interface ChangeDemand {
  /** Called with the document in force and the one to store; throws where the latter must not be stored. */
  readonly check?: (stored: Snapshot, next: Config) => Promise<void> | void;
  readonly way?: ChangeWay;
}

/** How a document is stored. */
export interface ConfigChange extends ChangeDemand {
  /** The whole of the new document, of the right shape; asked anew when another change came in between. */
  readonly next: (stored: Config) => Promise<Config>;
  /** The version that is put back. */
  readonly restored?: number;
}

/** Stores a document by the rules, secrets sealed. Returns it masked; 409 when others change it all the time. */
export async function storeConfig(scope: AdminScope, change: ConfigChange): Promise<Config> {
  return (await storedConfig(scope, change)).config;
}

/** The document as it was stored, masked, with its generation. */
async function storedConfig(
  scope: AdminScope,
  change: ConfigChange,
): Promise<Pick<Snapshot, "config" | "generation">> {
  // Another change may come in between; its document is then the one whose secrets are kept.
  for (let tries = 0; tries < mostTries; tries += 1) {
    const stored = await readSnapshot(scope);
    const config = await change.next(stored.config);
    const sealed = await sealedNext(scope, config, stored);
    await change.check?.(stored, sealed);
    const put = await putIf(scope, { sealed, generation: stored.generation }, change);
    if (put.ok) {
      await groupsSaved(scope, stored.config, sealed);
      return { config: maskedConfig(sealed), generation: put.generation };
    }
  }
  throw configConflict("The configuration is being changed by somebody else. Try again.");
}

/** Not ok where another change came in between. */
async function putIf(
  scope: AdminScope,
  { sealed, generation }: { sealed: Config; generation: number },
  { way = scope.way ?? "api", restored }: ConfigChange,
): Promise<{ ok: boolean; generation: number }> {
  const { actor } = scope.caller;
  const next = { config: sealed, generation, way, ...(restored !== undefined && { restored }) };
  return await askNewMethod(
    scope,
    (stub) => stub.changeConfig(next, actor),
    (stub) =>
      restored === undefined
        ? stub.putConfig(sealed, generation, actor)
        : stub.restoreConfig({ config: sealed, generation, restored }, actor),
  );
}

/**
 * Groups belong to the identity provider, not to a workspace: where workspaces are strangers to each other, an owner who
 * names a group would make members of everybody in it, and read who they are.
 */
function checkGroups({ env, caller }: AdminScope, next: Config, stored: Config): void {
  const areStrangers = modeOf(env) === "cloud" || oidcOf(env)?.signUp === "open";
  if (!areStrangers || caller.role === "root") return;
  if (JSON.stringify(next.groups ?? {}) !== JSON.stringify(stored.groups ?? {}))
    throw invalid(
      "groups",
      "can be set only with the deployment's ADMIN_TOKEN in cloud mode and with SIGN_UP=open, also for owners and OPERATORS",
    );
}

/** The document as it would be stored now. Throws what would refuse it. */
export async function sealedNext(
  scope: AdminScope,
  config: Config,
  { config: stored }: Snapshot,
): Promise<Config> {
  checkGroups(scope, config, stored);
  return await sealedFor(scope, config, stored);
}

/** The document as it would be stored in place of `stored`. Throws its first fault. */
async function sealedFor(
  { env, workspace }: AdminScope,
  config: Config,
  stored: Config,
): Promise<Config> {
  const reach = reachOf(env);
  checkDocument(config, (entry) => entryProblem(entry, reach));
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const sealed = await sealedConfig(config, { workspace, stored, ring });
  checkLength(sealed);
  return sealed;
}

function checkLength(config: Config): void {
  const { length } = new TextEncoder().encode(JSON.stringify(config));
  if (length > longestDocument) {
    throw new Problem(
      problemCodes.invalidRequest,
      `body: the document is too large: ${length} of at most ${longestDocument} bytes`,
      {
        status: 413,
      },
    );
  }
}

/** Refuses with 412 where the caller meant another generation than the one in force. */
function checkTag({ generation }: Snapshot, wanted: string): void {
  const tags = new Set(wanted.split(",").map((tag) => tag.trim().replace(/^W\//, "")));
  if (tags.has("*") || tags.has(tagOf(generation))) return;
  throw new Problem(
    problemCodes.internal,
    "The configuration has changed since you read it. Read it again, and send your change with the new ETag.",
    { status: 412, type: "invalid_request_error", code: "configuration_changed" },
  );
}

function tagOf(generation: number): string {
  return `"${generation}"`;
}

/** The routes of the document. */
export const adminConfigRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/config",
      summary: "The workspace's document, secrets masked",
      access: "read",
      tagged: true,
      status: 200,
      answer: configSchema,
    },
    async (_input, { scope, setHeader }) => {
      const { config, generation } = await readSnapshot(scope);
      setHeader("etag", tagOf(generation));
      return maskedConfig(config);
    },
  ),
  defineRoute(
    {
      method: "PUT",
      path: "/api/config",
      summary:
        "Replace the document; `dry_run=true` changes nothing and returns what would change and which keys would stop working",
      access: "write",
      tagged: true,
      query: z.object({ dry_run: z.enum(["true", "false"]).optional() }),
      body: { schema: configSchema },
      status: 200,
      answer: z.union([configSchema, configPreviewSchema]),
    },
    async ({ query, body }, { scope, ifMatch, setHeader }) => {
      const check = (stored: Snapshot): void => {
        if (ifMatch !== undefined) checkTag(stored, ifMatch);
      };
      if (query.dry_run === "true") {
        const stored = await readSnapshot(scope);
        check(stored);
        setHeader("etag", tagOf(stored.generation));
        return await previewConfig(scope, { stored, next: await sealedNext(scope, body, stored) });
      }
      const { config, generation } = await storedConfig(scope, { next: async () => body, check });
      setHeader("etag", tagOf(generation));
      return config;
    },
  ),
] as const;
