/** What the runtime starts: the app, and the classes of its Durable Objects. */
import { createApp } from "./app.ts";
import { servicesOf } from "./bindings.ts";
import { type Env, SettingsError, settingsOf } from "./store/env.ts";

export { DirectoryObject, IpObject, WorkspaceObject } from "./worker-objects.ts";

const app = createApp(servicesOf);

export default {
  /** A deployment whose settings are wrong serves nothing: it would be another variant than the one meant. */
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    return settingsFault(env) ?? app.fetch(request, env, context);
  },
};

function settingsFault(env: Env): Response | undefined {
  try {
    settingsOf(env);
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    const message = "The gateway's settings are wrong. The log of its process says which.";
    const fault = { message, type: "server_error", code: "internal_error", param: null };
    return Response.json({ error: fault }, { status: 500 });
  }
}
