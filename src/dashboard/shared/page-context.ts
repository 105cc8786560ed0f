/** What every page gets: who looks at it, on which workspace, and the services that it may call. */
import type { Context, Hono } from "hono";
import type { AdminAccess } from "../../admin/shared/credentials/access.ts";
import { notFound } from "../../admin/shared/errors.ts";
import { type AdminScope, readSnapshot } from "../../admin/shared/scope.ts";
import type { VersionView } from "../../admin/routes/document/history.ts";
import type { RoutingPreview, RoutingQuestion } from "../../admin/routes/requests/routing.ts";
import type { Directory } from "../../providers/models/directory.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { ConnectionTest } from "../../providers/models/test-connection.ts";
import type { AskedAnswer } from "../../admin/routes/document/providers.ts";
import type { Config, ProviderEntry } from "../../store/config.ts";
import type { Env, Mode } from "../../store/env.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { IconName } from "./icons.tsx";

/** What services need of the request that they serve. */
interface CallContext {
  env: Env;
  snapshot: Snapshot;
  waitUntil(promise: Promise<unknown>): void;
}

/** What pages ask of the rest of the gateway, besides the operations of the admin API. */
export interface PageServices {
  /** Every model that the workspace reaches; `fresh` waits for lists that were never read. */
  directory(input: CallContext & { fresh: boolean }): Promise<Directory>;
  /** Asks a saved provider for its list of models. */
  testProvider(input: {
    scope: AdminScope;
    snapshot: Snapshot;
    /** As stored: its secrets are sealed. */
    provider: ProviderEntry;
  }): Promise<ConnectionTest>;
  /** Asks a provider that is not saved for its list of models; its secrets are as they were typed. */
  testEntry(scope: AdminScope, entry: ProviderEntry): Promise<ConnectionTest>;
  /** Asks one of its models for a first answer, which its provider bills. */
  askEntry(scope: AdminScope, entry: ProviderEntry, model: ListedModel): Promise<AskedAnswer>;
  /** The routing decision for a request's body, nothing forwarded. */
  dryRun(input: CallContext & RoutingQuestion): Promise<RoutingPreview>;
  /** Serves a request of `/v1`. */
  serve(request: Request, env: Env, context: Context["executionCtx"]): Promise<Response>;
}

/** Colours of the pages; `auto` follows the system. */
export type Theme = "auto" | "light" | "dark";

/** What pages call the holder of keys. */
export interface HolderNames {
  holder: "harness" | "agent";
  Holder: "Harness" | "Agent";
  Holders: "Harnesses" | "Agents";
}

/** One entry of the main menu. */
export interface MenuItem {
  path: string;
  /** Addresses of its pages that do not begin with the path. */
  others?: readonly string[] | undefined;
  label: string;
  icon: IconName;
  /** How many new things there are; missing where nothing new comes. */
  news?: number | undefined;
}

/** Somebody who is signed in, of whatever workspace, and how they see the pages. */
export interface Visitor {
  access: AdminAccess;
  /** Hash of the session's id. */
  session: string;
  /** Missing for somebody who belongs to no workspace. */
  scope?: AdminScope;
  /** Whether they may open a page or send a form, by its whole path: pages show nothing that would be refused. */
  allows(method: "GET" | "POST", path: string): boolean;
  words: HolderNames;
  /** What they may open of it. */
  menu: readonly MenuItem[];
  /** Whether saved parameters are merged into requests. */
  savesParams: boolean;
  /** Whether it can keep its stored responses to itself. */
  ownsResponses: boolean;
  mode: Mode;
  theme: Theme;
  path: string;
  /** What was done just before, a name of `doneMessages`. */
  done: string | undefined;
  /** The version of the document that was made by it, where it can be undone. */
  saved: VersionView | undefined;
  /** It changed nothing of the document. */
  savedNothing: boolean;
  /** Of the document as this page shows it; undefined for those who may not change it. */
  generation: number | undefined;
}

/** Who looks at a page of a workspace: as what, and in which one. */
export interface Viewer extends Visitor {
  scope: AdminScope;
}

/** What the dashboard's app carries for each request. */
export interface PageVars {
  Bindings: Env;
  Variables: {
    /** Behind the sign-in. */
    visitor: Visitor;
    /** Where the route needs a right in a workspace. */
    viewer: Viewer;
  };
}
/** The app on which pages register their paths. */
export type PageApp = Hono<PageVars>;
/** One request for a page. */
export type PageContext = Context<PageVars>;

/** The names by which the variant calls the holder of keys. */
export function holderNames(holder: "harness" | "agent"): HolderNames {
  return holder === "agent"
    ? { holder, Holder: "Agent", Holders: "Agents" }
    : { holder, Holder: "Harness", Holders: "Harnesses" };
}

/** The address under which this gateway was asked. */
export function originOf(c: PageContext): string {
  return new URL(c.req.url).origin;
}

/** The stored document, and every model that it leads to. */
export interface LoadedDirectory {
  snapshot: Snapshot;
  config: Config;
  directory: Directory;
}

/** Reads the document and its models. `fresh` waits for lists that were never read. */
export async function loadDirectory(
  c: PageContext,
  services: PageServices,
  fresh = false,
): Promise<LoadedDirectory> {
  const snapshot = await readSnapshot(c.var.viewer.scope);
  const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
  const directory = await services.directory({ env: c.env, snapshot, waitUntil, fresh });
  return { snapshot, config: snapshot.config, directory };
}

/** A parameter of the path, decoded; 404 when the route has none of that name. */
export function parameter(c: PageContext, name: string): string {
  const value = c.req.param(name);
  if (value === undefined) throw notFound("Unknown path.");
  return value;
}

/**
 * Lets the browser keep a page that answers a form, so that Back and Forward show it instead of an error. Only for pages
 * without secrets: elsewhere nothing is kept.
 */
export function keepForBack(c: PageContext): void {
  c.header("Cache-Control", "private, no-cache");
}
