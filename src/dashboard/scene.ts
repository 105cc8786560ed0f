/** What every page knows: who is signed in, on which workspace, and in which words. */
import type { Context, Hono } from "hono";
import type { Directory } from "../providers/models/directory.ts";
import type { Config, HarnessEntry } from "../store/config.ts";
import type { Env, Mode } from "../store/env.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { notFound, noHarness, type Office, readSnapshot } from "../admin/actions.ts";
import type { AdminDeps } from "../admin/routes.ts";
import type { IconName } from "./icons.tsx";
import type { Reach } from "../admin/workspaces.ts";

/** What the pages need from the rooms that they do not see. */
export interface PageDeps extends AdminDeps {
  /** Serves a request of `/v1`. */
  serve(request: Request, env: Env, context: Context["executionCtx"]): Promise<Response>;
}

export type Theme = "auto" | "light" | "dark";

/** What pages call the holder of keys. */
export interface Words {
  holder: "harness" | "agent";
  Holder: "Harness" | "Agent";
  Holders: "Harnesses" | "Agents";
}

/** One entry of the main menu. */
export interface MenuItem {
  path: string;
  label: string;
  icon: IconName;
}

export interface Scene {
  office: Office;
  reach: Reach;
  /** Hash of the session's id. */
  session: string;
  words: Words;
  menu: readonly MenuItem[];
  /** Whether saved parameters are merged into requests. */
  savesParams: boolean;
  mode: Mode;
  theme: Theme;
  path: string;
  /** What was done just before, a word of `notices`. */
  done: string | undefined;
}

export interface PageVars {
  Bindings: Env;
  Variables: { scene: Scene };
}
export type PageApp = Hono<PageVars>;
export type PageContext = Context<PageVars>;

export function wordsOf(holder: "harness" | "agent"): Words {
  return holder === "agent"
    ? { holder, Holder: "Agent", Holders: "Agents" }
    : { holder, Holder: "Harness", Holders: "Harnesses" };
}

/** The address under which this gateway was asked. */
export function originOf(c: PageContext): string {
  return new URL(c.req.url).origin;
}

export interface Known {
  snapshot: Snapshot;
  config: Config;
  directory: Directory;
}

/** The document as it is stored and every model that it leads to. `fresh` waits for lists that were never read. */
export async function known(c: PageContext, deps: PageDeps, fresh = false): Promise<Known> {
  const snapshot = await readSnapshot(c.var.scene.office);
  const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
  const directory = await deps.directory({ env: c.env, snapshot, waitUntil, fresh });
  return { snapshot, config: snapshot.config, directory };
}

/** The harness of that id, or the 404. */
export function harnessIn(config: Config, id: string): HarnessEntry {
  const harness = config.harnesses?.find((entry) => entry.id === id);
  if (harness === undefined) throw noHarness(id);
  return harness;
}

/** The part of a path that the route names. */
export function parameter(c: PageContext, name: string): string {
  const value = c.req.param(name);
  if (value === undefined) throw notFound("Unknown path.");
  return value;
}
