/** The list of all routes. */
import { adminAccountRoutes } from "./people/account.ts";
import { adminAuditRoutes } from "./events/audit.ts";
import { adminBackupRoutes } from "./workspaces/backup.ts";
import { adminConfigRoutes } from "./document/config.ts";
import { adminEventRoutes } from "./events/events.ts";
import { adminFeedbackRoutes } from "./requests/feedback.ts";
import { adminInvitationRoutes } from "./people/invitations.ts";
import { adminHistoryRoutes } from "./document/history.ts";
import { adminKeyRoutes } from "./document/keys.ts";
import { adminLearningRoutes } from "./requests/learning.ts";
import { adminLimitRoutes } from "./usage/limits.ts";
import { adminMeRoutes } from "./people/me.ts";
import { adminMemberRoutes } from "./people/members.ts";
import { adminModelRoutes } from "./document/models.ts";
import { adminPlanRoutes } from "./workspaces/plans.ts";
import { adminProviderRoutes } from "./document/providers.ts";
import { adminRequestRoutes } from "./requests/requests.ts";
import { adminRoutingRoutes } from "./requests/routing.ts";
import { adminSessionRoutes } from "./people/sessions.ts";
import { adminSummaryRoutes } from "./usage/summary.ts";
import { adminSystemRoutes } from "./system.ts";
import { adminTokenRoutes } from "./people/tokens.ts";
import { adminUsageExportRoutes } from "./usage/usage-export.ts";
import { adminUsageRoutes } from "./usage/usage.ts";
import { adminDeletionRoutes } from "./workspaces/deletion.ts";
import { adminWebhookRoutes } from "./events/webhooks.ts";
import { adminWorkspaceRoutes } from "./workspaces/workspaces.ts";

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
