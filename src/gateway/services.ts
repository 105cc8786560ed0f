/** What the story of a request needs from the outside. Made once an isolate from its bindings. */
import type { Clock } from "../lib/clock.ts";
import type { HeaderReader } from "../lib/header-reader.ts";
import type { Policy } from "../policy/policy.ts";
import type { Connection } from "../providers/connection/connection.ts";
import type { Credentials } from "../providers/connection/credentials.ts";
import type { Directory } from "../providers/models/directory.ts";
import type { Reach } from "../store/env.ts";
import type { Keyring } from "../store/keyring.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { RequestMetrics } from "../telemetry/metrics/request-metrics.ts";
import type { Sink } from "../telemetry/sink.ts";
import type { TraceRequest } from "../telemetry/trace/request-trace.ts";
import type { InFlight } from "./isolate/in-flight.ts";
import type { OpenSockets } from "./isolate/open-sockets.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { MemoryBudget } from "./isolate/memory-budget.ts";
import type { Workspaces } from "../workspace/client/client.ts";
import type { Drain } from "./isolate/drain.ts";
import type { Readiness } from "./readiness.ts";

export interface Services {
  readonly policy: Policy;
  /** Where users reach the gateway, as the deployment says; undefined where it does not. */
  readonly publicOrigin: string | undefined;
  /** Seconds without content after which a stream that its provider has begun is begun for its client too; 0: never. */
  readonly keepAliveAfter: number;
  /** Which addresses providers may have. */
  readonly reach: Reach;
  readonly now: Clock;
  readonly workspaces: Workspaces;
  readonly drain: Drain;
  readonly readiness: Readiness;
  /** What the bodies of running requests may take in this isolate. */
  readonly memory: MemoryBudget;
  readonly inFlight: InFlight;
  readonly sockets: OpenSockets;
  /** Receives every finished request, after its response. */
  readonly sinks: readonly Sink[];
  /** The trace of a request for an answer. */
  readonly traceGeneration: TraceRequest;
  /** What `GET /metrics` shows; undefined where it is not offered. */
  readonly metrics: RequestMetrics | undefined;
  /** Calls providers, with every layer. */
  readonly upstream: Upstream;
  /** The window in which this request's client address is counted. */
  addressOf(headers: HeaderReader): string;
  /** All models that the workspace reaches, from the cache; old lists are renewed after the response. */
  directory(snapshot: Snapshot, waitUntil: WaitUntil): Promise<Directory>;
  /** The same with the lists of providers that were never asked. */
  freshDirectory(snapshot: Snapshot, waitUntil: WaitUntil): Promise<Directory>;
  /** The deployment's encryption keys. */
  keyring(): Promise<Keyring>;
  /** The connection's credentials, unsealed; no promise where they are known, which they nearly always are. */
  credentials(snapshot: Snapshot, connection: Connection): Credentials | Promise<Credentials>;
}

export type WaitUntil = (promise: Promise<unknown>) => void;
