/** The health check says that the service runs, and asks nothing: see `/readyz` for the rest. */
import { version } from "./version.ts";

/** What `GET /healthz` answers with. */
export const health = { status: "ok", version } as const;
