/** The workspace's document: providers, harnesses, routing and limits. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { entryProblem } from "../../providers/connection/check-entry.ts";
import { type Config, configSchema } from "../../store/config.ts";
import { checkDocument, checkTree, shapeProblem } from "../../store/document.ts";
import { reachOf } from "../../store/env.ts";
import { keyringOf } from "../../store/keyring.ts";
import { maskedConfig, sealedConfig } from "../../store/secrets.ts";
import { defineRoute } from "../shared/define-route.ts";
import { groupsSaved } from "../shared/memberships.ts";
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
  const reach = reachOf(scope.env);
  checkDocument(config, (entry) => entryProblem(entry, reach));
  const ring = await keyringOf(scope.env.ENCRYPTION_KEY);
  // Another change may come in between; its document is then the one whose secrets are kept.
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { config: stored, generation } = await readSnapshot(scope);
    const sealed = await sealedConfig(config, { workspace: scope.workspace, stored, ring });
    checkLength(sealed);
    const { ok } = await askWorkspace(scope, (stub) =>
      stub.putConfig(sealed, generation, scope.caller.actor),
    );
    if (ok) {
      await groupsSaved(scope, stored, sealed);
      return maskedConfig(sealed);
    }
  }
  throw new Problem(
    problemCodes.internal,
    "The configuration is being changed from elsewhere. Try again.",
    {
      status: 409,
    },
  );
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
