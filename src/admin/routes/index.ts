/** The list of all routes. */
import { adminAccountRoutes } from "./account.ts";
import { adminAuditRoutes } from "./audit.ts";
import { adminBackupRoutes } from "./backup.ts";
import { adminConfigRoutes } from "./config.ts";
import { adminEventRoutes } from "./events.ts";
import { adminFeedbackRoutes } from "./feedback.ts";
import { adminInvitationRoutes } from "./invitations.ts";
import { adminHistoryRoutes } from "./history.ts";
import { adminKeyRoutes } from "./keys.ts";
import { adminLearningRoutes } from "./learning.ts";
import { adminLimitRoutes } from "./limits.ts";
import { adminMeRoutes } from "./me.ts";
import { adminMemberRoutes } from "./members.ts";
import { adminModelRoutes } from "./models.ts";
import { adminPlanRoutes } from "./plans.ts";
import { adminProviderRoutes } from "./providers.ts";
import { adminRequestRoutes } from "./requests.ts";
import { adminRoutingRoutes } from "./routing.ts";
import { adminSessionRoutes } from "./sessions.ts";
import { adminSummaryRoutes } from "./summary.ts";
import { adminSystemRoutes } from "./system.ts";
import { adminTokenRoutes } from "./tokens.ts";
import { adminUsageExportRoutes } from "./usage-export.ts";
import { adminUsageRoutes } from "./usage.ts";
import { adminDeletionRoutes } from "./deletion.ts";
import { adminWebhookRoutes } from "./webhooks.ts";
import { adminWorkspaceRoutes } from "./workspaces.ts";

/** Every route of the admin API, in the order of the OpenAPI document. */
export const adminRoutes = [
  ...adminSystemRoutes,
  ...adminConfigRoutes,
  ...adminHistoryRoutes,
  ...adminKeyRoutes,
  ...adminProviderRoutes,
  ...adminModelRoutes,
  ...adminRoutingRoutes,
  ...adminLearningRoutes,
  ...adminUsageRoutes,
  ...adminSummaryRoutes,
  ...adminRequestRoutes,
  ...adminFeedbackRoutes,
  ...adminLimitRoutes,
  ...adminMeRoutes,
  ...adminMemberRoutes,
  ...adminInvitationRoutes,
  ...adminTokenRoutes,
  ...adminSessionRoutes,
  ...adminAccountRoutes,
  ...adminWorkspaceRoutes,
  ...adminAuditRoutes,
  ...adminPlanRoutes,
  ...adminUsageExportRoutes,
  ...adminDeletionRoutes,
  ...adminWebhookRoutes,
  ...adminEventRoutes,
  ...adminBackupRoutes,
] as const;
