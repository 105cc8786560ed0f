/** What routing decides from. */
import type { ModelRequest } from "../../core/request.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { RoutingEntry } from "../../store/config.ts";
import type { Outcomes } from "../../workspace/contract/outcomes.ts";
import type { QualityPreference } from "./tier.ts";

/** One request to `auto`, with everything that may influence the decision. */
export interface RoutingInput {
  readonly request: ModelRequest;
  readonly headers: HeaderReader;
  /** The conversation id that the client states in its body. */
  readonly conversation?: string | undefined;
  readonly harness: RoutingHarness;
  /** All models that the workspace can reach, in the order of the model list. */
  readonly models: readonly ListedModel[];
  /** Finds a configured model that is not in `models`, e.g. while its provider's list is not loaded yet. */
  readonly resolve?: ((name: string) => ListedModel | undefined) | undefined;
  /** What a model's provider supports; without it, everything is assumed to be supported. */
  readonly supportOf?: ((model: ListedModel) => ProviderSupport) | undefined;
  /** The model name that the client sent, when an alias turned it into `auto`. */
  readonly requestedModel?: string | undefined;
  /** What the client prefers, by the name under which it asks for `auto`; it goes before the harness's own. */
  readonly quality?: QualityPreference | undefined;
  /** Outcomes of this harness's earlier requests; used only where its `learning` is on. */
  readonly outcomes?: Outcomes | undefined;
}

/** The settings of a harness that routing reads. */
export interface RoutingHarness {
  readonly id: string;
  readonly routing?: RoutingEntry | undefined;
  /** Reasoning effort saved on the harness; overrides the client's. */
  readonly effort?: string | undefined;
}

/** What the format and provider of a model support, beyond what its model list says. */
export interface ProviderSupport {
  /** The provider stores responses and conversations that a later request can refer to. */
  readonly storedResponses: boolean;
  /** It speaks Gemini. */
  readonly gemini: boolean;
  /** Output can be constrained to a JSON schema. */
  readonly schemaOutput: boolean;
  /** The provider searches the web, or the gateway does so for its model. */
  readonly webSearch: boolean;
}
