/** The workspace's document: providers, harnesses, routing and limits. */
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { entryProblem } from "../../providers/connection/check-entry.ts";
import { type Config, configSchema } from "../../store/config.ts";
import { checkDocument, checkTree, shapeProblem } from "../../store/document.ts";
import { modeOf, reachOf } from "../../store/env.ts";
import { keyringOf } from "../../store/keyring.ts";
import { oidcOf } from "../../store/oidc-settings.ts";
import { maskedConfig, sealedConfig } from "../../store/secrets.ts";
import { defineRoute } from "../shared/define-route.ts";
import { groupsSaved } from "../shared/memberships.ts";
import type { WorkspaceStub } from "../../workspace/remote.ts";
import { type AdminScope, askWorkspace, readSnapshot } from "../shared/scope.ts";

/** The largest document, in bytes of its JSON text: a row of the object and a value in KV hold two megabytes. */
const longestDocument = 1_900_000;
/** How often a replacement is tried anew when another one came in between. */
const mostTries = 5;

/** The document with `***` in the place of every secret. */
export async function readConfig(scope: AdminScope): Promise<Config> {
  return maskedConfig((await readSnapshot(scope)).config);
}

/** Replaces the document, or throws its first fault and changes nothing. Returns the new document, masked. */
export async function replaceConfig(scope: AdminScope, document: unknown): Promise<Config> {
  checkTree(document);
  const parsed = configSchema.safeParse(document);
  if (!parsed.success) throw shapeProblem(parsed.error.issues);
  return await saveConfig(scope, parsed.data);
}

/** Changes the document as it stands now: `change` gets it masked and returns the whole of the new one. */
export async function editConfig(
  scope: AdminScope,
  change: (config: Config) => unknown,
): Promise<Config> {
  return await replaceConfig(scope, change(await readConfig(scope)));
}

/** Stores a document of the right shape, secrets sealed. */
async function saveConfig(scope: AdminScope, config: Config): Promise<Config> {
  const { actor } = scope.caller;
  return await storeConfig(scope, {
    next: async () => config,
    put: (stub, sealed, generation) => stub.putConfig(sealed, generation, actor),
  });
}

/** How a document is stored. */
export interface ConfigChange {
  /** The whole of the new document, of the right shape; asked anew when another change came in between. */
  readonly next: (stored: Config) => Promise<Config>;
  readonly put: (
    stub: WorkspaceStub,
    sealed: Config,
    generation: number,
  ) => Promise<{ ok: boolean }>;
}

/** Stores a document by the rules, secrets sealed. Returns it masked; 409 when others change it all the time. */
export async function storeConfig(scope: AdminScope, { next, put }: ConfigChange): Promise<Config> {
  // Another change may come in between; its document is then the one whose secrets are kept.
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { config: stored, generation } = await readSnapshot(scope);
    const config = await next(stored);
    checkGroups(scope, config, stored);
    const sealed = await sealedFor(scope, config, stored);
    const { ok } = await askWorkspace(scope, (stub) => put(stub, sealed, generation));
    if (ok) {
      await groupsSaved(scope, stored, sealed);
      return maskedConfig(sealed);
    }
  }
  throw configConflict("The configuration is being changed from elsewhere. Try again.");
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

/** The document as it would be stored in place of `stored`. Throws its first fault. */
export async function sealedFor(
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

/** 409: the document is not the one that the caller saw. */
export function configConflict(message: string): Problem {
  return new Problem(problemCodes.internal, message, { status: 409 });
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

/** The routes of the document. */
export const adminConfigRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/config",
      summary: "The workspace's document, secrets masked",
      access: "read",
      status: 200,
      answer: configSchema,
    },
    (_input, { scope }) => readConfig(scope),
  ),
  defineRoute(
    {
      method: "PUT",
      path: "/api/config",
      summary: "Replace the document",
      access: "write",
      body: { schema: configSchema },
      status: 200,
      answer: configSchema,
    },
    ({ body }, { scope }) => saveConfig(scope, body),
  ),
] as const;
