/** The list of all routes. */
import { adminAccountRoutes } from "./account.ts";
import { adminConfigRoutes } from "./config.ts";
import { adminKeyRoutes } from "./keys.ts";
import { adminLearningRoutes } from "./learning.ts";
import { adminLimitRoutes } from "./limits.ts";
import { adminModelRoutes } from "./models.ts";
import { adminPlanRoutes } from "./plans.ts";
import { adminProviderRoutes } from "./providers.ts";
import { adminRequestRoutes } from "./requests.ts";
import { adminRoutingRoutes } from "./routing.ts";
import { adminSummaryRoutes } from "./summary.ts";
import { adminSystemRoutes } from "./system.ts";
import { adminUsageExportRoutes } from "./usage-export.ts";
import { adminUsageRoutes } from "./usage.ts";
import { adminDeletionRoutes } from "./deletion.ts";
import { adminWorkspaceRoutes } from "./workspaces.ts";

/** Every route of the admin API, in the order of the OpenAPI document. */
export const adminRoutes = [
  ...adminSystemRoutes,
  ...adminConfigRoutes,
  ...adminKeyRoutes,
  ...adminProviderRoutes,
  ...adminModelRoutes,
  ...adminRoutingRoutes,
  ...adminLearningRoutes,
  ...adminUsageRoutes,
  ...adminSummaryRoutes,
  ...adminRequestRoutes,
  ...adminLimitRoutes,
  ...adminAccountRoutes,
  ...adminWorkspaceRoutes,
  ...adminPlanRoutes,
  ...adminUsageExportRoutes,
  ...adminDeletionRoutes,
] as const;
