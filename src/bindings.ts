/** The services of an isolate, made from its bindings: the only place where the parts learn of each other. */
import { addressOf } from "./workspace/address/address.ts";
import { InFlight } from "./gateway/isolate/in-flight.ts";
import { OpenSockets } from "./gateway/isolate/open-sockets.ts";
import { workspacesOf } from "./workspace/client/client.ts";
import { descriptorShares } from "./workspace/descriptors.ts";
import type { Connection } from "./providers/connection/connection.ts";
import type { Credentials } from "./providers/connection/credentials.ts";
import { directoryOf, type Directory } from "./providers/models/directory.ts";
import {
  knownLists,
  mayAsk,
  refreshList,
  type ListsContext,
} from "./providers/models/known-lists.ts";
import type { ProviderEntry } from "./store/config.ts";
import { reachOf, type Env } from "./store/env.ts";
import { keepAliveAfterOf } from "./store/keep-alive.ts";
import { keyringOf } from "./store/keyring.ts";
import { openedSecrets } from "./store/secrets.ts";
import { publicOrigin } from "./store/public-origin.ts";
import type { Snapshot } from "./store/snapshot.ts";
import { telemetryOf } from "./sinks.ts";
import { policyOf } from "./policy/choose.ts";
import { upstreamOf } from "./upstream/assembly/layers.ts";
import { drainOf } from "./gateway/isolate/drain.ts";
import { probesOf, Readiness } from "./gateway/readiness.ts";
import { bodyMemoryBudget } from "./gateway/isolate/memory-budget.ts";
import type { Services, WaitUntil } from "./gateway/services.ts";

const made = new WeakMap<Env, Services>();

/** The services for these bindings, made once. */
export function servicesOf(env: Env): Services {
  let services = made.get(env);
  if (services === undefined) {
    services = makeServices(env);
    made.set(env, services);
  }
  return services;
}

function makeServices(env: Env): Services {
  const now = Date.now;
  const policy = policyOf(env);
  const drain = drainOf(now);
  const reach = reachOf(env);
  const credentials = (
    snapshot: Snapshot,
    connection: Connection,
  ): Credentials | Promise<Credentials> =>
    opened.get(connection.entry) ?? openCredentials(env, snapshot, connection);
  const lists = (snapshot: Snapshot, background: WaitUntil): ListsContext => ({
    workspace: snapshot.workspace,
    reach,
    store: {
      get: (key) => env.KV.get(key),
      put: (key, value) => env.KV.put(key, value, { expirationTtl: listLife }),
    },
    now,
    background,
    credentials: async (connection) => await credentials(snapshot, connection),
  });
  return {
    policy,
    publicOrigin: publicOrigin(env),
    keepAliveAfter: keepAliveAfterOf(env) ?? policy.keepAliveAfter,
    reach,
    now,
    workspaces: workspacesOf(env, policy),
    drain,
    readiness: new Readiness({ probes: probesOf(env), drain, now }),
    memory: bodyMemoryBudget(env, now),
    inFlight: new InFlight(descriptorShares(env).requests, now),
    sockets: new OpenSockets(descriptorShares(env).sockets, env),
    ...telemetryOf(env, now),
    upstream: upstreamOf({ policy, reach, now }),
    addressOf: (headers) => addressOf(headers, env),
    credentials,
    keyring: () => keyringOf(env.ENCRYPTION_KEY),
    async directory(snapshot, waitUntil) {
      const entries = entriesOf(snapshot);
      const kept = directories.get(entries);
      if (kept !== undefined && now() - kept.at < directoryLife) return kept.directory;
      const known = await knownLists(lists(snapshot, waitUntil), entries);
      const directory = directoryOf(entries, known, now());
      directories.set(entries, { directory, at: now() });
      return directory;
    },
    async freshDirectory(snapshot, waitUntil) {
      const context = lists(snapshot, waitUntil);
      const entries = entriesOf(snapshot);
      const before = directoryOf(entries, await knownLists(context, entries), now());
      const unread = [...before.unknown].flatMap((id) => before.connections.get(id) ?? []);
      await Promise.all(
        unread.map(async (connection) =>
          (await mayAsk(context, connection)) ? refreshList(context, connection) : undefined,
        ),
      );
      return directoryOf(entries, await knownLists(context, entries), now());
    },
  };
}

/** Seconds for which a provider's list is kept that nobody reads anew: a late one of a deleted workspace goes too. */
const listLife = 30 * 86_400;
/** Milliseconds for which nobody looks whether a provider's list has changed. */
const directoryLife = 1000;
const directories = new WeakMap<readonly ProviderEntry[], { directory: Directory; at: number }>();

const noEntries: readonly ProviderEntry[] = [];

function entriesOf(snapshot: Snapshot): readonly ProviderEntry[] {
  return snapshot.config.providers ?? noEntries;
}

/**
 * Opened credentials by the entry they stand in: a change of the document makes a new one. Only finished
 * work is kept, because a promise of one request must not be awaited by another in this runtime.
 */
const opened = new WeakMap<ProviderEntry, Credentials>();

async function openCredentials(
  env: Env,
  snapshot: Snapshot,
  connection: Connection,
): Promise<Credentials> {
  const { entry } = connection;
  const { apiKey, headers } = await openedSecrets(
    entry,
    snapshot.workspace,
    await keyringOf(env.ENCRYPTION_KEY),
  );
  const credentials = { secret: apiKey, secretHeaders: headers };
  opened.set(entry, credentials);
  return credentials;
}
