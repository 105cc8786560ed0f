/** Everything that the search can find in a workspace, as far as the viewer may open it. */
import { docsPath } from "../../../core/docs-address.ts";
import { findKeys } from "../../../admin/routes/document/keys.ts";
import { findRequest, listRequests } from "../../../admin/routes/requests/requests.ts";
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import {
  type LoadedDirectory,
  loadDirectory,
  type PageContext,
  type PageServices,
  type Theme,
  type Viewer,
} from "../../shared/page-context.ts";
import { tryChange } from "../../shared/forms.ts";
import { docsPages } from "./docs-pages.ts";
import { bestMatches, type SearchEntry } from "./match.ts";

const mostKeys = 20;
const mostResults = 20;
const recentRequests = 5;
/** Characters of an id after which requests are looked up by it. */
const shortestId = 8;

/** What the text finds, best first. */
export async function searchWorkspace(
  c: PageContext,
  services: PageServices,
  text: string,
): Promise<SearchEntry[]> {
  const { viewer } = c.var;
  const [loaded, keys, requests] = await Promise.all([
    loadDirectory(c, services),
    text === "" ? [] : findKeys(viewer.scope, { text, most: mostKeys }),
    requestEntries(viewer, text),
  ]);
  const keyEntries = keys.map(({ harness, id, name, last4 }) => ({
    kind: `Key of ${harness}`,
    label: name === "" ? `Key …${last4}` : name,
    href: `/dashboard/harnesses/${encodeURIComponent(harness)}/keys/${encodeURIComponent(id)}`,
  }));
  const named = [
    ...pageEntries(viewer),
    ...actionEntries(viewer),
    ...documentEntries(viewer, loaded),
    ...keyEntries,
    ...modelEntries(loaded),
    ...docsEntries(),
  ];
  return [...requests.exact, ...bestMatches(allowed(viewer, named), text, mostResults)]
    .slice(0, mostResults)
    .concat(requests.recent, logEntry(text));
}

/** What names do not hold, the log's texts may. */
function logEntry(text: string): SearchEntry[] {
  if (text === "") return [];
  const href = `/dashboard/requests?q=${encodeURIComponent(text)}`;
  return [{ kind: "Requests", label: `Search the request log for “${text}”`, href }];
}

function allowed(viewer: Viewer, entries: readonly SearchEntry[]): SearchEntry[] {
  return entries.filter(
    (entry) =>
      "theme" in entry || entry.href.startsWith(docsPath("")) || viewer.allows("GET", entry.href),
  );
}

function pageEntries({ menu }: Viewer): SearchEntry[] {
  const below = [
    ["Settings: history", "/dashboard/settings/history"],
    ["Settings: audit log", "/dashboard/settings/audit"],
    ["Account", "/dashboard/account"],
    ["Failed requests", "/dashboard/requests?outcome=failed"],
    ["Blocked requests", "/dashboard/requests?outcome=blocked"],
  ] as const;
  return [
    ...menu.map(({ label, path }) => ({ kind: "Page", label, href: path })),
    ...below.map(([label, href]) => ({ kind: "Page", label, href })),
  ];
}

/** Of themes the names that the switch in the navigation has. */
function actionEntries({ allows }: Viewer): SearchEntry[] {
  const themes: readonly Theme[] = ["light", "dark", "auto"];
  return [
    ...(allows("POST", "/dashboard/connect")
      ? [{ kind: "Action", label: "Create key", href: "/dashboard/connect" }]
      : []),
    ...(allows("GET", "/dashboard/add-provider")
      ? [{ kind: "Action", label: "Add a provider", href: "/dashboard/providers" }]
      : []),
    ...themes.map((theme) => ({
      kind: "Action",
      label: `Switch theme: ${theme === "auto" ? "system" : theme}`,
      theme,
    })),
  ];
}

function documentEntries({ words }: Viewer, { config }: LoadedDirectory): SearchEntry[] {
  return [
    ...(config.harnesses ?? []).map(({ id, name }) => ({
      kind: words.Holder,
      label: name,
      href: `/dashboard/harnesses/${encodeURIComponent(id)}`,
    })),
    ...(config.providers ?? []).map(({ id }) => ({
      kind: "Provider",
      label: id,
      href: `/dashboard/providers/${encodeURIComponent(id)}`,
    })),
  ];
}

function modelEntries({ directory }: LoadedDirectory): SearchEntry[] {
  return directory.models.map(({ id }) => ({
    kind: "Model",
    label: id,
    href: `/dashboard/models?q=${encodeURIComponent(id)}`,
  }));
}

function docsEntries(): SearchEntry[] {
  return docsPages.map(([label, page, anchor]) => ({
    kind: "Docs",
    label,
    href: docsPath(page, anchor),
  }));
}

interface RequestEntries {
  /** Whose id begins with the text. */
  readonly exact: readonly SearchEntry[];
  /** The latest, where nothing is asked for. */
  readonly recent: readonly SearchEntry[];
}

async function requestEntries({ scope }: Viewer, text: string): Promise<RequestEntries> {
  if (text === "") {
    const { data } = await listRequests(scope, { limit: recentRequests });
    return { exact: [], recent: data.map(requestEntry) };
  }
  if (!text.startsWith("req_") || text.length < shortestId) return { exact: [], recent: [] };
  const whole = await tryFind(scope, text);
  if (whole !== undefined) return { exact: [requestEntry(whole)], recent: [] };
  const { data } = await listRequests(scope, { limit: recentRequests, q: text });
  const begin = data.filter(({ id }) => id.startsWith(text));
  return { exact: begin.map(requestEntry), recent: [] };
}

async function tryFind(scope: Viewer["scope"], id: string): Promise<RequestView | undefined> {
  // A part of an id is none.
  const found = await tryChange(() => findRequest(scope, id)).catch(() => undefined);
  return found?.ok === true ? found.value : undefined;
}

function requestEntry({ id, model, requested_model, outcome }: RequestView): SearchEntry {
  return {
    kind: `Request, ${outcome}`,
    label: `${id} ${model ?? requested_model}`,
    href: `/dashboard/requests/${encodeURIComponent(id)}`,
  };
}
