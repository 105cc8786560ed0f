/** What the handler of an admin route gets besides its input. */
import type { Services, WaitUntil } from "../../gateway/services.ts";
import type { Env } from "../../store/env.ts";
import type { AdminAccess } from "./credentials/access.ts";
import type { Actor } from "../../workspace/contract/audit.ts";
import type { SignedDelivery } from "./signed-delivery.ts";
import type { AdminScope } from "./scope.ts";

/** What every handler gets. */
export interface AdminContext {
  readonly env: Env;
  readonly services: Services;
  /** Where the gateway is for the caller: `https://gateway.example.com`. */
  readonly origin: string;
  /** As it came; its body was read already, unless the route reads it by itself. */
  readonly request: Request;
  /** The forms of answers that the caller takes: the `Accept` header. */
  readonly accept: string;
  /** The `If-Match` header. */
  readonly ifMatch: string | undefined;
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void;
  /** Work that goes on behind the answer. */
  readonly waitUntil: WaitUntil;
  /** That the request came from; undefined where nobody knows. */
  readonly continent: string | undefined;
}

/** What the handler gets of a route that billing systems may call. */
export interface BillingContext extends AdminContext {
  readonly by: Actor;
  /** Missing where somebody who runs the deployment calls. */
  readonly delivery?: SignedDelivery;
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
