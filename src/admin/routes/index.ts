/** Every route of the admin API, in the order of the OpenAPI document. */
import { accountRoutes } from "./account.ts";
import { configRoutes } from "./config.ts";
import { keyRoutes } from "./keys.ts";
import { learningRoutes } from "./learning.ts";
import { limitRoutes } from "./limits.ts";
import { modelRoutes } from "./models.ts";
import { providerRoutes } from "./providers.ts";
import { requestRoutes } from "./requests.ts";
import { routingRoutes } from "./routing.ts";
import { summaryRoutes } from "./summary.ts";
import { systemRoutes } from "./system.ts";
import { usageRoutes } from "./usage.ts";
import { workspaceRoutes } from "./workspaces.ts";

export const adminRoutes = [
  ...systemRoutes,
  ...configRoutes,
  ...keyRoutes,
  ...providerRoutes,
  ...modelRoutes,
  ...routingRoutes,
  ...learningRoutes,
  ...usageRoutes,
  ...summaryRoutes,
  ...requestRoutes,
  ...limitRoutes,
  ...accountRoutes,
  ...workspaceRoutes,
] as const;
