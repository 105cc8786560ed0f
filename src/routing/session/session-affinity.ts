/** Which session a request belongs to, and how far it binds the request. */
import type { DecidedBy, RoutingDecision, SessionAffinity } from "../contract/decision.ts";
import type { RoutingInput } from "../contract/input.ts";
import type { ClientProfile } from "../intent/client.ts";
import { hasCompactionInstruction } from "../intent/request-role.ts";
import { isJustCompacted } from "../intent/stated-role.ts";
import type { RoutingView } from "../request/request-view.ts";
import { continuesStored, referencesItems } from "../request/stored-context.ts";
import { contentKey, ownSessionKey, requestSessionKey } from "./session-key.ts";

/** The members of a decision that session affinity consists of. */
export type SessionBinding = Pick<
  RoutingDecision,
  | "sessionKey"
  | "sessionAliases"
  | "affinity"
  | "holdReason"
  | "opaqueReasoning"
  | "referencesItems"
  | "isStored"
  | "compacted"
  | "cacheLifetimeMs"
>;

interface BindingInput {
  readonly input: RoutingInput;
  readonly view: RoutingView;
  readonly client: ClientProfile;
  readonly by: DecidedBy;
}

/** Most providers cache a prefix for five minutes after its last use; clients may pay for an hour. */
const cacheLifetimeMs = 5 * 60_000;
const longCacheLifetimeMs = 60 * 60_000;

/** How the session binds a request. */
export function sessionBinding(binding: BindingInput): SessionBinding {
  const { input, view } = binding;
  const isLongCached = view.longCache || input.request.cacheRetention === "24h";
  return {
    ...sessionKeys(binding),
    affinity: affinityOf(binding),
    holdReason: view.inToolLoop ? "tool loop" : "kept there",
    opaqueReasoning: view.opaqueReasoning,
    referencesItems: referencesItems(input.request),
    isStored: continuesStored(input.request) || referencesItems(input.request),
    compacted: isJustCompacted(input.headers),
    cacheLifetimeMs: isLongCached ? longCacheLifetimeMs : cacheLifetimeMs,
  };
}

function sessionKeys({
  input,
  view,
  client,
  by,
}: BindingInput): Pick<RoutingDecision, "sessionKey" | "sessionAliases"> {
  const sessionKey = requestSessionKey(input, view);
  // Background requests share no prefix with the conversation: they neither read nor change its state.
  if (by === "housekeeping") return { sessionKey: `${sessionKey}:side`, sessionAliases: [] };
  if (by === "compaction" && hasCompactionInstruction(input.request))
    return { sessionKey: contentKey(input, view), sessionAliases: [] };
  const isContinued = input.request.previousResponseId !== undefined;
  return {
    sessionKey,
    sessionAliases: [
      ...(isContinued ? [ownSessionKey(input, view)] : []),
      // Only known clients send compaction requests with other instructions.
      ...(client.name === "unknown" ? [] : [contentKey(input, view)]),
    ],
  };
}

function affinityOf({ input, view, by }: BindingInput): SessionAffinity {
  switch (by) {
    case "rule":
    case "role":
    case "off":
    case "housekeeping":
      return "fixed";
    case "compaction":
      return "inherit";
    case "scorer":
    case "intent":
      return view.inToolLoop || continuesStored(input.request) ? "held" : "free";
    default:
      return by satisfies never;
  }
}
