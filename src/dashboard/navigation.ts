/** Every page of the dashboard, one row each: the menu and the routes derive from this table. */
import type { IconName } from "./shared/icons.tsx";
import { connectRoutes } from "./pages/connect/connect.tsx";
import { harnessRoutes } from "./pages/harnesses/harnesses.tsx";
import { modelRoutes } from "./pages/models/models.tsx";
import { overviewRoutes } from "./pages/overview/overview.tsx";
import { playgroundRoutes } from "./pages/playground/playground.tsx";
import { addPath } from "./pages/providers/add-provider.tsx";
import { localPath } from "./pages/providers/local-servers.tsx";
import { providerRoutes } from "./pages/providers/providers.tsx";
import { requestRoutes } from "./pages/requests/requests.tsx";
import { noticeRoutes } from "./pages/notices/notices.tsx";
import { noticesPath } from "./pages/notices/seen.ts";
import { webhookRoutes } from "./pages/webhooks/webhooks.tsx";
import { accountRoutes } from "./pages/account/account.tsx";
import { memberRoutes } from "./pages/members/members.tsx";
import { workspaceRoutes } from "./pages/workspaces/workspaces.tsx";
import { switchRoutes } from "./pages/workspaces/switch.ts";
import { waitingRoutes } from "./pages/sign-in/waiting.tsx";
import { settingsRoutes } from "./pages/settings/settings.tsx";
import { searchRoutes } from "./pages/search/search.tsx";
import { usageRoutes } from "./pages/usage/usage.tsx";
import type {
  MenuItem,
  PageApp,
  PageServices,
  HolderNames,
  Visitor,
} from "./shared/page-context.ts";

interface NavigationRow {
  path: string;
  /** Addresses of its pages that do not begin with the path. */
  others?: readonly string[];
  /** A function where the label depends on the variant. */
  label: string | ((words: HolderNames) => string);
  icon: IconName;
  /** Registers the page and everything below its path. */
  routes(app: PageApp, services: PageServices): void;
}

const navigation: readonly NavigationRow[] = [
  { path: "/dashboard", label: "Overview", icon: "overview", routes: overviewRoutes },
  { path: "/dashboard/usage", label: "Usage", icon: "chart", routes: usageRoutes },
  { path: "/dashboard/requests", label: "Requests", icon: "requests", routes: requestRoutes },
  { path: noticesPath, label: "Notices", icon: "bell", routes: noticeRoutes },
  {
    path: "/dashboard/harnesses",
    label: (words) => words.Holders,
    icon: "key",
    routes: harnessRoutes,
  },
  {
    path: "/dashboard/providers",
    others: [addPath, localPath],
    label: "Providers",
    icon: "plug",
    routes: providerRoutes,
  },
  { path: "/dashboard/models", label: "Models", icon: "models", routes: modelRoutes },
  { path: "/dashboard/playground", label: "Playground", icon: "play", routes: playgroundRoutes },
  { path: "/dashboard/connect", label: "Connect", icon: "connect", routes: connectRoutes },
  { path: "/dashboard/members", label: "Members", icon: "people", routes: memberRoutes },
  {
    path: "/dashboard/workspaces",
    label: "Workspaces",
    icon: "workspaces",
    routes: workspaceRoutes,
  },
  { path: "/dashboard/webhooks", label: "Webhooks", icon: "send", routes: webhookRoutes },
  { path: "/dashboard/settings", label: "Settings", icon: "settings", routes: settingsRoutes },
];

/** Registers the routes of every page, and those that stand in no menu. */
export function registerPages(app: PageApp, services: PageServices): void {
  searchRoutes(app, services);
  waitingRoutes(app);
  switchRoutes(app);
  accountRoutes(app);
  for (const { routes } of navigation) routes(app, services);
}

/** The main menu, with the variant's own words: what somebody may open of it. `news`: how many new things, by path. */
export function mainMenu(
  words: HolderNames,
  allows: Visitor["allows"],
  news: Readonly<Record<string, number>>,
): readonly MenuItem[] {
  return navigation
    .filter(({ path }) => allows("GET", path))
    .map(({ path, others, label, icon }) => ({
      path,
      others,
      label: typeof label === "string" ? label : label(words),
      icon,
      news: news[path],
    }));
}
