/** The services of the pages, from those of the isolate. */
import { askEntry, testEntry, testSavedProvider } from "../admin/routes/document/providers.ts";
import type { AdminScope } from "../admin/shared/scope.ts";
import { previewRouting } from "../admin/routes/requests/routing.ts";
import { publicApi } from "../gateway/routes/index.ts";
import type { Services } from "../gateway/services.ts";
import type { Env } from "../store/env.ts";
import type { PageServices } from "./shared/page-context.ts";

/** `servicesOf` gives the isolate's services for the bindings of a request. */
export function pageServices(servicesOf: (env: Env) => Services): PageServices {
  // The playground's requests take the way of every client's.
  const endpoints = publicApi(servicesOf);
  const placeOf = ({ env, workspace }: AdminScope) => ({
    workspace,
    env,
    services: servicesOf(env),
  });
  return {
    directory({ env, snapshot, waitUntil, fresh }) {
      const services = servicesOf(env);
      return fresh
        ? services.freshDirectory(snapshot, waitUntil)
        : services.directory(snapshot, waitUntil);
    },
    testProvider: ({ scope, snapshot, provider }) =>
      testSavedProvider(provider.id, snapshot, placeOf(scope)),
    testEntry: (scope, entry) => testEntry(entry, placeOf(scope)),
    askEntry: (scope, entry, model) => askEntry(entry, model, placeOf(scope)),
    dryRun: ({ env, snapshot, waitUntil, ...question }) =>
      previewRouting(question, snapshot, { services: servicesOf(env), waitUntil }),
    serve: async (request, env, context) => endpoints.fetch(request, env, context),
  };
}
