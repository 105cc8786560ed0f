/** What routing decides. */
import type { RequestRoleName } from "../../core/request-role.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { TierName } from "../../workspace/contract/outcomes.ts";
import type { WorkSigns } from "./work.ts";
import type { QualityPreference, TierProbabilities } from "./tier.ts";

/** What one feature adds to the score. The addends of all features and the bias are the score. */
export interface Contribution {
  /** Name of the feature. */
  readonly name: string;
  /** The bin of the feature into which the request falls. */
  readonly bin: string;
  /** Addend to the logit of each tier, weakest first. */
  readonly tiers: readonly [number, number, number, number];
  /** Addend to the logit of "a more expensive model would answer better". */
  readonly gain: number;
}

/** A model that cannot serve the request, with the reason. */
export interface ExcludedModel {
  readonly id: string;
  readonly why: string;
}

/** What the next answer would cost on one model, in USD. */
export interface ModelCost {
  readonly id: string;
  /** With the conversation's prefix in the provider's cache. */
  readonly stay: number;
  /** Without: the prefix has to be written to the cache first. */
  readonly switch: number;
}

/** Which stage determined the tier. The values are part of `POST /api/route`. */
export type DecidedBy =
  | "scorer"
  | "rule"
  | "role"
  | "off"
  | "housekeeping"
  | "compaction"
  | "intent";

/**
 * How far session affinity binds this request. The values are part of `POST /api/route`.
 * `free`: stay or switch by cost. `held`: stay on the session's model (tool loop, stored responses).
 * `inherit`: compaction stays on it too. `fixed`: the session does not matter (rules, models of a role, background requests).
 */
export type SessionAffinity = "free" | "held" | "inherit" | "fixed";

/** The answer of `planAuto`. */
export interface RoutingDecision {
  /** A tier, `default` when routing is off, or the name of the header rule that matched. */
  readonly tier: string;
  /** The tier that the request needs, whatever rules say. */
  readonly need: TierName;
  /** What the request is for. */
  readonly role: RequestRoleName;
  readonly by: DecidedBy;
  /** One line of printable ASCII, at most 300 characters: sent as `X-Gateway-Reason`. */
  readonly reason: string;
  /** Probability of the most likely tier, 0..1; 0.95 for background requests. */
  readonly confidence: number;
  /** How much sooner stronger tiers are chosen because of past outcomes, -0.06..0.12; 0 unless the harness learns. */
  readonly learnedOffset: number;
  /** 0..1: how much a more expensive model is expected to improve the answer. Sent as `X-Gateway-Score`. */
  readonly score: number;
  readonly probabilities: TierProbabilities;
  readonly contributions: readonly Contribution[];
  /** What was read from the request, as plain data for the log and the dry run. */
  readonly signals: JsonObject;
  /** Model ids, the first is the primary; at most six. */
  readonly candidates: readonly string[];
  /** The harness lists models for the tier or the role, so that no others serve it unless it says so. */
  readonly tierIsListed: boolean;
  /** Ids of other tiers' models on which a session may stay; admission has to price them too. */
  readonly stayCandidates: readonly string[];
  /** The models behind `candidates` and `stayCandidates`. */
  readonly models: readonly ListedModel[];
  /** Rank (0..3) of the highest tier that each of these models serves, by id. */
  readonly tierRanks: Readonly<Record<string, number>>;
  /** The first model of each tier, weakest tier first: failing work goes up along it. Empty where the session does not matter. */
  readonly ladder: readonly string[];
  /** What the harness or the client prefers, which says how soon failing work goes up. */
  readonly quality: QualityPreference;
  /** What the agent's work shows so far. */
  readonly work: WorkSigns;
  readonly excluded: readonly ExcludedModel[];
  /** Key of the conversation, unique within the workspace. */
  readonly sessionKey: string;
  /** Other keys under which the next request may look for the conversation. */
  readonly sessionAliases: readonly string[];
  readonly affinity: SessionAffinity;
  /** Why a `held` request stays. */
  readonly holdReason: "tool loop" | "kept there";
  /** The last answer contains reasoning that other providers cannot read. */
  readonly opaqueReasoning: boolean;
  /** Parts of the conversation are sent as references, which other providers cannot resolve. */
  readonly referencesItems: boolean;
  /** The conversation, or a part of it, lies with its provider. */
  readonly isStored: boolean;
  /** The conversation was just compacted: what its provider has cached is of no use any more. */
  readonly compacted: boolean;
  /** How long a provider is expected to cache the conversation's prefix after its last use, in milliseconds. */
  readonly cacheLifetimeMs: number;
  readonly costs: readonly ModelCost[];
  /** Notes of the stages, in the order in which `reason` prints them. */
  readonly notes: readonly string[];
  /** Requests that this ask is expected to take: as many as those before it on average, or a few for a chore. */
  readonly requestsPerAsk: number;
  /** Estimated input tokens. */
  readonly inputTokens: number;
}
