/**
 * What the end of a request shows about its tier, or about the tier of the conversation's last answer. Pure and
 * bounded; runs after the answer, when no client waits for it.
 */
import type { StopReason } from "../../core/events.ts";
import type { ModelRequest, Tool } from "../../core/request.ts";
import { isObject, parseJson } from "../../lib/json.ts";
import type { Observation } from "../../workspace/contract/outcomes.ts";
import type { SessionState } from "../../workspace/contract/session-state.ts";
import type { RoutingDecision } from "../contract/decision.ts";
import { tiers, type TierName } from "../../workspace/contract/outcomes.ts";
import { recognizeClient } from "../intent/client.ts";
import { requestRole } from "../intent/request-role.ts";
import { viewRequest } from "../request/request-view.ts";
import { isAskRephrased } from "./rephrased-ask.ts";
import { requestSessionKey, type SessionKeyInput } from "../session/session-key.ts";

/** A function call of an answer. */
export interface ObservedCall {
  readonly name: string;
  readonly namespace?: string;
  /** The arguments as the model wrote them. */
  readonly input: string;
}

/** How a request ended. */
export type ObservedEnding =
  | {
      readonly kind: "answered";
      readonly stop: StopReason | undefined;
      readonly calls: readonly ObservedCall[];
      /** It has neither words nor calls. */
      readonly isEmpty?: boolean;
    }
  /** Every candidate failed, or the answer broke off. */
  | { readonly kind: "failed" }
  /** The client left, or the request itself was at fault: it says nothing about the tier. */
  | { readonly kind: "unknown" };

/** A request that ended. */
export interface EndedRequest {
  /** Absent where the client named the model. */
  readonly decision: RoutingDecision | undefined;
  /** Id of the first candidate. */
  readonly model: string;
  /** State after the conversation's last answer. */
  readonly session: SessionState | null;
  readonly request: () => ModelRequest;
  readonly ending: ObservedEnding;
}

/** What is to be counted; nothing for most requests that name their model. */
export function observationsOf(ended: EndedRequest): Observation[] {
  const { decision, model, session, request, ending } = ended;
  const lastTier = tiers.find((tier) => tier === session?.tier);
  if (decision === undefined)
    return lastTier !== undefined && session?.model !== model
      ? [{ tier: lastTier, what: "overridden" }]
      : [];
  const tier = assessedTier(decision);
  if (tier === undefined) return [];
  // Many clients send a failed request again, so only answered ones count as rephrased.
  const isRephrased =
    lastTier !== undefined && ending.kind === "answered" && isAskRephrased(request().messages);
  return [
    ...(isRephrased ? [{ tier: lastTier, what: "rephrased" } as const] : []),
    ...outcomesOf(ended).map((what) => ({ tier, what })),
  ];
}

/** The tier that the work was scored to need; undefined where a rule, a setting or the request's role decided. */
export function assessedTier({
  by,
  need,
}: Pick<RoutingDecision, "by" | "need">): TierName | undefined {
  return by === "scorer" || by === "intent" ? need : undefined;
}

/** The session of a request that names its model; undefined for background requests, which say nothing about it. */
export function observedSessionKey(input: SessionKeyInput): string | undefined {
  const view = viewRequest(input.request);
  const role = requestRole({ ...input, view, client: recognizeClient(input) });
  return role.kind === "background" || role.kind === "safety"
    ? undefined
    : requestSessionKey(input, view);
}

/**
 * Whether nobody can use an answer: it is empty, was cut off or refused, or calls tools against their schemas. A client that
 * left says nothing of it.
 */
export function isFlawed(ending: ObservedEnding, { maxOutput, tools }: ModelRequest): boolean {
  if (ending.kind !== "answered") return false;
  const { stop, calls, isEmpty } = ending;
  if (stop === "filter" || stop === "context_full") return true;
  if (stop === "length") return (maxOutput ?? minOutputLimit) >= minOutputLimit;
  return isEmpty === true || calls.slice(0, maxCalls).some((call) => isBadCall(call, tools));
}

/** A client that sets a lower output limit wants the answer cut. */
const minOutputLimit = 256;

function outcomesOf({ ending, request }: EndedRequest): Observation["what"][] {
  switch (ending.kind) {
    case "unknown":
      return [];
    case "failed":
      return ["served", "errors"];
    case "answered": {
      const { maxOutput, tools } = request();
      if (ending.stop === "length" || ending.stop === "context_full")
        return (maxOutput ?? minOutputLimit) < minOutputLimit
          ? ["served"]
          : ["served", "truncated"];
      const isBad = ending.calls.slice(0, maxCalls).some((call) => isBadCall(call, tools));
      return isBad ? ["served", "bad_calls"] : ["served"];
    }
    default:
      return ending satisfies never;
  }
}

/** Calls of an answer that are examined. */
const maxCalls = 20;
/** Longest input of a call that is parsed, in characters. */
const maxCallInput = 65_536;
/** Required members of a schema that are looked up. */
const maxRequired = 100;

/** Whether the input is no JSON object, or lacks what the tool's schema requires. */
function isBadCall({ name, namespace, input }: ObservedCall, tools: readonly Tool[]): boolean {
  if (input.length > maxCallInput) return false;
  const parsed = input.trim() === "" ? {} : parseJson(input);
  if (!isObject(parsed)) return true;
  const tool = tools.find(
    (offered) =>
      offered.kind === "function" && offered.name === name && offered.namespace === namespace,
  );
  const required = tool?.kind === "function" ? tool.schema?.["required"] : undefined;
  if (!Array.isArray(required)) return false;
  return required
    .slice(0, maxRequired)
    .some((member) => typeof member === "string" && !Object.hasOwn(parsed, member));
}
