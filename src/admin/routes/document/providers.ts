/** Providers: tests of saved ones and of others, first answers, and servers on this machine. */
import * as z from "zod";
import type { Services } from "../../../gateway/services.ts";
import { Problem } from "../../../core/problem.ts";
import { entryProblem } from "../../../providers/connection/check-entry.ts";
import {
  connectionOf,
  type Connection,
  type ListedModel,
} from "../../../providers/connection/connection.ts";
import type { Credentials } from "../../../providers/connection/credentials.ts";
import { serverCheckOf } from "../../../providers/connection/server-check.ts";
import { findLocal } from "../../../providers/models/local-servers.ts";
import {
  firstAnswerFault,
  type ConnectionTest,
  entryFault,
  testProvider,
} from "../../../providers/models/test-connection.ts";
import { testCauses, type TestFault } from "../../../providers/models/test-fault.ts";
import type { ProviderEntry } from "../../../store/config.ts";
import { type Env, modeOf } from "../../../store/env.ts";
import { localServersHostOf } from "../../../store/local-servers.ts";
import { isSecretHeader } from "../../../store/secrets.ts";
import type { Snapshot } from "../../../store/snapshot.ts";
import { firstAnswer } from "../../../upstream/first-answer.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { oneOfTests } from "../../shared/tests-at-once.ts";
import { readSnapshot } from "../../shared/scope.ts";

const providerTestSchema = z.strictObject({
  ok: z.boolean(),
  /** HTTP status of the provider, or the one that the failure counts as. */
  status: z.number(),
  /** How many models its list names. */
  models: z.number(),
  ms: z.number(),
  message: z.string(),
  /** Of a failure: the member of the provider that is to be corrected, where one is. */
  field: z.string().optional(),
  /** Of a failure: what it is. */
  cause: z.enum(testCauses).optional(),
});

/** Whose test it is, and what it calls: the isolate's services and the deployment's bindings. */
export interface TestPlace {
  readonly workspace: string;
  readonly services: Services;
  readonly env: Env;
}

/** Asks the provider for its model list; 404 when the document has no such provider. */
export async function testSavedProvider(
  id: string,
  snapshot: Snapshot,
  { workspace, services, env }: TestPlace,
): Promise<ConnectionTest> {
  const entry = snapshot.config.providers?.find((candidate) => candidate.id === id);
  if (entry === undefined) throw notFound(`There is no provider ${JSON.stringify(id)}`);
  const connection = connectionOf(entry);
  const credentials = await services.credentials(snapshot, connection);
  const testing = { reach: services.reach, check: serverCheckOf(env) };
  return await oneOfTests(workspace, () => testProvider(connection, credentials, testing));
}

/** Tests an entry that is not saved; it holds its secrets as they were typed. */
export async function testEntry(
  entry: ProviderEntry,
  { workspace, services, env }: TestPlace,
): Promise<ConnectionTest> {
  const wrong = entryProblem(entry, services.reach);
  if (wrong !== undefined)
    return { ok: false, status: 400, ms: 0, fault: entryFault(wrong.problem) };
  const testing = { reach: services.reach, check: serverCheckOf(env) };
  return await oneOfTests(workspace, () => testProvider(...connected(entry), testing));
}

/** A model's first words, or why it said nothing. `cost`: USD, missing where the price is not known. */
export type AskedAnswer =
  | { readonly ok: true; readonly text: string; readonly ms: number; readonly cost?: number }
  | { readonly ok: false; readonly fault: TestFault };

/**
 * Asks a model of an entry that is not saved for a first answer. It belongs to no key, so it stands in no log and counts
 * against no limit; its provider bills it.
 */
export async function askEntry(
  entry: ProviderEntry,
  model: ListedModel,
  { workspace, services, env }: TestPlace,
): Promise<AskedAnswer> {
  const [connection, credentials] = connected(entry);
  try {
    const answer = await oneOfTests(workspace, () =>
      firstAnswer(services.upstream, { ...model, connection }, credentials),
    );
    if (answer.ok) return answer;
    const testing = { reach: services.reach, check: serverCheckOf(env) };
    return {
      ok: false,
      fault: await firstAnswerFault(answer.failure, { connection, credentials, testing }),
    };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, fault: entryFault(error) };
    throw error;
  }
}

/** The connection of an entry that is not saved, with the credentials that it holds itself. */
function connected(entry: ProviderEntry): [Connection, Credentials] {
  const secretHeaders = Object.entries(entry.headers ?? {}).filter(([name]) =>
    isSecretHeader(name),
  );
  const credentials = {
    secret: entry.api_key,
    secretHeaders: Object.fromEntries(secretHeaders),
  };
  return [connectionOf(entry), credentials];
}

const localServerSchema = z.strictObject({
  kind: z.string(),
  name: z.string(),
  base_url: z.string(),
  models: z.number(),
});
/** A model server on the gateway's own machine. */
export type LocalServer = z.infer<typeof localServerSchema>;

/** The servers that answer on their usual ports; none in cloud mode, where nobody's machine is meant. */
export async function localServers(env: Env): Promise<LocalServer[]> {
  if (modeOf(env) === "cloud") return [];
  const found = await findLocal(localServersHostOf(env));
  return found.map(({ kind, name, baseUrl, models }) => ({
    kind,
    name,
    base_url: baseUrl,
    models,
  }));
}

/** The routes of providers. */
export const adminProviderRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/providers/{id}/test",
      summary: "Ask a provider for its models",
      access: "write",
      status: 200,
      answer: providerTestSchema,
    },
    async ({ params }, { scope, services, env }) => {
      const snapshot = await readSnapshot(scope);
      return testView(
        await testSavedProvider(params.id, snapshot, { workspace: scope.workspace, services, env }),
      );
    },
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/local",
      summary: "Model servers found on this machine (self-hosted)",
      access: "write",
      status: 200,
      answer: z.strictObject({ data: z.array(localServerSchema) }),
    },
    async (_input, { env }) => ({ data: await localServers(env) }),
  ),
] as const;

function testView(test: ConnectionTest): z.infer<typeof providerTestSchema> {
  const { ok, status, ms } = test;
  if (test.ok) return { ok, status, models: test.models.length, ms, message: test.message };
  const { field, cause, message } = test.fault;
  return { ok, status, models: 0, ms, message, ...(field !== undefined && { field }), cause };
}
