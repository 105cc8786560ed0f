/** What the handler of an admin route gets besides its input. */
import type { Services, WaitUntil } from "../../gateway/services.ts";
import type { Env } from "../../store/env.ts";
import type { AdminAccess } from "./access.ts";
import type { AdminScope } from "./scope.ts";

/** What every handler gets. */
export interface AdminContext {
  readonly env: Env;
  readonly services: Services;
  /** The forms of answers that the caller takes: the `Accept` header. */
  readonly accept: string;
  /** Where the gateway is for the caller: `https://gateway.example.com`. */
  readonly origin: string;
  /** Work that goes on behind the answer. */
  readonly waitUntil: WaitUntil;
}

/** What the handler of a route gets that is not open. */
export interface IdentifiedContext extends AdminContext {
  readonly access: AdminAccess;
  /** The workspace that the caller named. */
  readonly named?: string;
}

/** What the handler of a workspace's route gets. */
export interface WorkspaceContext extends IdentifiedContext {
  readonly scope: AdminScope;
}
