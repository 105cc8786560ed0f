/** What routing decides and what it decides from: the words between the plan, its stages and their readers. */
import type { JsonObject } from "../lib/json.ts";
import type { ModelRequest } from "../core/request.ts";
import type { Outcomes, TierName } from "../workspace/contract/outcomes.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { RoutingEntry } from "../store/config.ts";

export { tiers } from "../workspace/contract/outcomes.ts";
export type { TierName };

export type Quality = "eco" | "balanced" | "quality";

export interface AutoRequest {
  turn: ModelRequest;
  /** The client's body as it came: session ids and marks of clients are read from it, nothing else. */
  body: JsonObject;
  headers: { get(name: string): string | null };
  harness: {
    id: string;
    routing?: RoutingEntry | undefined;
    /** `reasoning_effort` saved on the harness; it wins over the client's. */
    effort?: string | undefined;
  };
  /** All models that the workspace can reach, in the list's order. */
  models: readonly ListedModel[];
  /** What a configured name means that is not in the list, e.g. of a provider whose list is not read yet. */
  resolve?: (name: string) => ListedModel | undefined;
  /** What a model's provider can be told; everything when absent. */
  speech?: (model: ListedModel) => Speech;
  /** The name that the client sent, when it reached `auto` through an alias. */
  requested?: string;
  /** Observed outcomes of this harness; used only where its `learning` is on. */
  outcomes?: Outcomes;
}

/** What the dialects of a model's provider have words for. */
export interface Speech {
  /** It keeps answers and conversations that a request may refer to. */
  refers: boolean;
  /** Answers that follow a JSON schema. */
  schemas: boolean;
}

/** One addend of the score. They sum up to it exactly. */
export interface Contribution {
  readonly name: string;
  /** What the request showed, as a bin of the feature. */
  readonly bin: string;
  /** Addend to the logit of each tier. */
  readonly tiers: readonly [number, number, number, number];
  /** Addend to the logit of "a dearer model would help". */
  readonly gain: number;
}

export interface Excluded {
  id: string;
  why: string;
}

export interface ModelCost {
  id: string;
  stay: number;
  switch: number;
}

export interface Decision {
  /** A tier, `default` when routing is off, or the name of the header rule that matched. */
  tier: string;
  /** Capability that the request needs, whatever the rule. */
  need: TierName;
  /** Who decided. */
  by: "scorer" | "rule" | "off" | "housekeeping" | "compaction" | "intent";
  /** Compact, ASCII, at most 300 characters: goes out as `X-Gateway-Reason`. */
  reason: string;
  /** 0..1 */
  confidence: number;
  /** What outcomes take off what a step up has to earn; 0 unless the harness learns. */
  offset: number;
  /** Rises with what a dearer model would gain. */
  score: number;
  /** Probability of each tier, weakest first. */
  p: [number, number, number, number];
  contributions: Contribution[];
  /** What was seen in the request, plain data for the log and the dry run. */
  signals: JsonObject;
  /** Model ids, first is primary; at most six. */
  candidates: string[];
  /** Other models at which the conversation may stand and stay; admission has to price them too. */
  stayable: string[];
  /** The candidates and the stayable models themselves. */
  found: ListedModel[];
  /** Highest tier (0..3) that each of these models serves, by id. */
  places: Record<string, number>;
  excluded: Excluded[];
  /** Names the conversation within the harness. */
  sessionKey: string;
  /** Other names under which its state has to be found later. */
  alsoKnownAs: string[];
  /** What makes the conversation's model stay where `movement` is `held`. */
  held: "tool loop" | "kept there";
  /** Whether the conversation's model may change now, and how. */
  movement: "free" | "held" | "inherit" | "fixed";
  /** The last answer holds reasoning that another provider could not read. */
  opaque: boolean;
  /** Parts of the conversation are named, not sent: another provider would not know them. */
  named: boolean;
  /** Milliseconds that a provider is believed to keep the conversation's prefix after its last use. */
  cacheLife: number;
  /** What the next answer would cost on each model, in USD: with its cache warm, and after a switch to it. */
  costs: ModelCost[];
  /** Notes of the stages, in order, for `reason`. */
  notes: string[];
  /** Requests that one human ask has taken so far, on average: loops of tool calls make it large. */
  pace: number;
  /** Estimated input tokens. */
  inputTokens: number;
  maxOutput: number | null;
}
