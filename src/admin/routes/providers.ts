/** Providers: a test of a saved one, servers on this machine, and what an endpoint offers before it is saved. */
import * as z from "zod";
import type { Services } from "../../gateway/services.ts";
import { entryProblem } from "../../providers/connection/check-entry.ts";
import { connectionOf } from "../../providers/connection/connection.ts";
import { fetchList } from "../../providers/models/fetch-list.ts";
import {
  findLocal,
  type ProviderTest,
  testProvider,
} from "../../providers/models/test-connection.ts";
import type { ProviderEntry } from "../../store/config.ts";
import { type Mode, modeOf, type Reach } from "../../store/env.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { readSnapshot } from "../shared/scope.ts";

const providerTestSchema = z.strictObject({
  ok: z.boolean(),
  /** HTTP status of the provider, or the one that the failure counts as. */
  status: z.number(),
  /** How many models its list names. */
  models: z.number(),
  ms: z.number(),
  message: z.string(),
});

/** Asks the provider for its model list; 404 when the document has no such provider. */
export async function testSavedProvider(
  id: string,
  snapshot: Snapshot,
  services: Services,
): Promise<ProviderTest> {
  const entry = snapshot.config.providers?.find((candidate) => candidate.id === id);
  if (entry === undefined) throw notFound(`there is no provider ${JSON.stringify(id)}`);
  const connection = connectionOf(entry);
  const credentials = await services.credentials(snapshot, connection);
  return await testProvider(connection, credentials, services.reach);
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
export async function localServers(mode: Mode): Promise<LocalServer[]> {
  if (mode === "cloud") return [];
  const found = await findLocal();
  return found.map(({ kind, name, baseUrl, models }) => ({
    kind,
    name,
    base_url: baseUrl,
    models,
  }));
}

/** Model ids of an endpoint, or why it could not be asked. */
export type Discovery = { ok: true; models: string[] } | { ok: false; message: string };

/** Asks an endpoint that is not saved yet for its models; the entry holds its secrets as they were typed. */
export async function discoverModels(entry: ProviderEntry, reach: Reach): Promise<Discovery> {
  const wrong = entryProblem(entry, reach);
  if (wrong !== undefined) return { ok: false, message: wrong.problem.message };
  const credentials = { secret: entry.api_key, secretHeaders: entry.headers ?? {} };
  const answer = await fetchList(connectionOf(entry), credentials, reach);
  if (!answer.ok) return { ok: false, message: answer.failure.message };
  return { ok: true, models: answer.models.map(({ id }) => id) };
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
    async ({ params }, { scope, services }) => {
      const test = await testSavedProvider(params.id, await readSnapshot(scope), services);
      const { ok, status, models, ms, message } = test;
      return { ok, status, models, ms, message };
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
    async (_input, { env }) => ({ data: await localServers(modeOf(env)) }),
  ),
] as const;
