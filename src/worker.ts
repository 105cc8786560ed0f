/** What the runtime starts: the app, and the classes of its Durable Objects. */
import { health } from "./admin/shared/health/health.ts";
import { createApp } from "./app.ts";
import { servicesOf } from "./bindings.ts";
import { refuseNotConfigured } from "./gateway/endpoints/not-configured.ts";
import { answerReadiness, notConfiguredReport } from "./gateway/readiness.ts";
import { checkDeployment } from "./store/deployment.ts";
import { type Env, SettingsError } from "./store/env.ts";
import { wakeStranded } from "./workspace/client/wake-stranded.ts";

export { DirectoryObject, IpObject, WorkspaceObject } from "./worker-objects.ts";

const app = createApp(servicesOf);

export default {
  /** Closed by default: with settings that are wrong or incomplete it serves nothing but its health check. */
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    const fault = faultOf(env);
    if (fault === undefined) {
      wakeStranded(env, (work) => context.waitUntil(work));
      return app.fetch(request, env, context);
    }
    const { pathname } = new URL(request.url);
    if (pathname === "/healthz") return Response.json(health);
    logFault(fault);
    if (pathname === "/readyz") return answerReadiness(notConfiguredReport);
    return refuseNotConfigured(request, env);
  },
};

/** What is wrong with the settings, worked out once; null: nothing. */
const faults = new WeakMap<Env, string | null>();

function faultOf(env: Env): string | undefined {
  let fault = faults.get(env);
  if (fault === undefined) faults.set(env, (fault = checked(env)));
  return fault ?? undefined;
}

function checked(env: Env): string | null {
  try {
    checkDeployment(env);
    return null;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message;
  }
}

/** Milliseconds between two lines that say the same: whoever calls cannot fill the log. */
const logInterval = 10_000;
const logged = new Map<string, number>();

function logFault(fault: string): void {
  const now = Date.now();
  if (now - (logged.get(fault) ?? 0) < logInterval) return;
  logged.set(fault, now);
  console.error(`Not configured, so every request is answered with 503.\n${fault}`);
}
