/** The gateway under measurement: the built product in workerd, with a clock that the benchmark can put forward. */
import { adminOf } from "../host/running/admin.ts";
import { startHost } from "../soak/host.ts";
import type { ModelSet } from "./model-sets.ts";
import { sentAgain } from "./sent-again.ts";

/** A running gateway whose clock moves. */
export interface BenchmarkGateway {
  readonly base: string;
  /** Makes a workspace with these models and a harness `agents`. Returns its key. */
  addWorkspace(set: ModelSet, quality: RoutingQuality): Promise<string>;
  /** Puts its clock so far ahead of the real one, as after pauses in which nobody asked anything. */
  putAhead(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

export type RoutingQuality = "eco" | "balanced" | "quality";

/**
 * Stands before the worker and moves the time that worker and objects read: they share an isolate. Sessions pause for
 * minutes, and what a provider has cached expires meanwhile; no benchmark can wait for that.
 */
const clockEntry = `
import worker from "./worker.js";
export * from "./worker.js";
const real = Date.now.bind(Date);
let skipped = 0;
globalThis.Date = class extends Date {
  constructor(...given) { given.length === 0 ? super(real() + skipped) : super(...given); }
  static now() { return real() + skipped; }
};
export default {
  fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/benchmark-clock") return worker.fetch(request, env, context);
    skipped = Number(searchParams.get("ahead"));
    return new Response(null, { status: 204 });
  },
};
`;

/** Starts it without limits of rate and concurrency. `provider` is the address of the simulated provider. */
export async function startBenchmarkGateway(provider: string): Promise<BenchmarkGateway> {
  const host = await startHost({ edition: "bench", entry: clockEntry });
  const root = adminOf(host.base, host.adminToken);
  return {
    base: host.base,
    async addWorkspace(set, quality) {
      // The contract's answers to these calls.
      const { admin_token: token } = (await sentAgain(() =>
        root.post("/api/workspaces", { name: "sessions" }),
      )) as { admin_token: string };
      const admin = adminOf(host.base, token);
      await sentAgain(() =>
        admin.put("/api/config", {
          providers: set.connections(provider),
          harnesses: [{ id: "agents", name: "Agents", routing: { quality, tiers: set.tiers } }],
        }),
      );
      const made = await sentAgain(() => admin.post("/api/harnesses/agents/keys", {}));
      return (made as { key: string }).key;
    },
    async putAhead(milliseconds) {
      await sentAgain(() => fetch(`${host.base}/benchmark-clock?ahead=${milliseconds}`));
    },
    stop: () => host.stop(),
  };
}
