/**
 * The simple settings of a request: one value that every format keeps in one place. One row each. The types of
 * `ModelRequest`, the readers and writers of all formats, saved parameters and the dashboard's list derive from
 * this table; see `docs/guide-parameter.md`. It stands in `core` because the request's type is made from it.
 */
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { FormatName } from "./format-name.ts";
import type { Traits } from "./model.ts";

/** The member of a body that carries a parameter; a dot leads into an object (`text.verbosity`). */
export type WirePath = string;

/** A member that is read under several names (the first that is there counts) or that not every model takes. */
export interface WireParameter {
  readonly name: WirePath;
  /** All names that are read, in this order; only `name` unless set. */
  readonly readAs?: readonly string[];
  /** What the target must have for it to be sent. */
  readonly needs?: Traits["extraSampling"][number] | "openAiFields" | "cacheKey";
}

/** How the dashboard asks for a saved parameter. Numbers have bounds, texts may have choices. */
export interface ParameterForm {
  readonly label: string;
  readonly hint: string;
  readonly min?: number;
  readonly max?: number;
  readonly whole?: true;
  readonly choices?: readonly string[];
}

export interface ParameterRow {
  /** Where `ModelRequest` holds it: in `sampling`, or at its top level. */
  readonly group: "sampling" | "request";
  readonly type: keyof ParameterTypes;
  /** Its place in each format; a format that is not listed has no such parameter. */
  readonly wire: Readonly<Partial<Record<FormatName, WirePath | WireParameter>>>;
  /** Its name as a saved parameter, which is OpenAI chat's. Without one a saved value is written as it stands. */
  readonly saved?: string;
  /** A value that changes nothing: it is not reported where the format has no such parameter. */
  readonly idle?: JsonValue;
  /** It steers the draw of tokens: models with the trait `sampling: "none"` refuse it. */
  readonly steersSampling?: true;
  /** The trait that holds the largest value. */
  readonly cap?: "maxTemperature";
  /** Why a request is refused (M300) where the format has no such parameter and the value is above `idle`. */
  readonly required?: string;
  /** Offered by the dashboard with a field of its own. */
  readonly form?: ParameterForm;
}

interface ParameterTypes {
  number: number;
  boolean: boolean;
  text: string;
  object: JsonObject;
}

export const parameters = {
  temperature: {
    group: "sampling",
    type: "number",
    wire: {
      chat: "temperature",
      responses: "temperature",
      messages: "temperature",
      gemini: "generationConfig.temperature",
    },
    saved: "temperature",
    steersSampling: true,
    cap: "maxTemperature",
    form: {
      label: "Temperature",
      hint: "0 to 2. Capped at 1 for models whose maximum is 1.",
      min: 0,
      max: 2,
    },
  },
  topP: {
    group: "sampling",
    type: "number",
    wire: { chat: "top_p", responses: "top_p", messages: "top_p", gemini: "generationConfig.topP" },
    saved: "top_p",
    steersSampling: true,
    form: { label: "Top P", hint: "0 to 1.", min: 0, max: 1 },
  },
  topK: {
    group: "sampling",
    type: "number",
    wire: {
      chat: { name: "top_k", needs: "topK" },
      messages: { name: "top_k", needs: "topK" },
      gemini: { name: "generationConfig.topK", needs: "topK" },
    },
    steersSampling: true,
  },
  frequencyPenalty: {
    group: "sampling",
    type: "number",
    wire: {
      chat: { name: "frequency_penalty", needs: "penalties" },
      gemini: { name: "generationConfig.frequencyPenalty", needs: "penalties" },
    },
    saved: "frequency_penalty",
    idle: 0,
    steersSampling: true,
    form: { label: "Frequency penalty", hint: "−2 to 2.", min: -2, max: 2 },
  },
  presencePenalty: {
    group: "sampling",
    type: "number",
    wire: {
      chat: { name: "presence_penalty", needs: "penalties" },
      gemini: { name: "generationConfig.presencePenalty", needs: "penalties" },
    },
    saved: "presence_penalty",
    idle: 0,
    steersSampling: true,
    form: { label: "Presence penalty", hint: "−2 to 2.", min: -2, max: 2 },
  },
  seed: {
    group: "sampling",
    type: "number",
    wire: {
      chat: { name: "seed", needs: "seed" },
      gemini: { name: "generationConfig.seed", needs: "seed" },
    },
    saved: "seed",
    form: { label: "Seed", hint: "A whole number.", whole: true },
  },
  n: {
    group: "sampling",
    type: "number",
    wire: { chat: { name: "n", needs: "n" } },
    saved: "n",
    idle: 1,
    required: "this provider gives one answer to a request",
  },
  logprobs: {
    group: "sampling",
    type: "boolean",
    wire: {
      chat: { name: "logprobs", needs: "logprobs" },
      gemini: { name: "generationConfig.responseLogprobs", needs: "logprobs" },
    },
    saved: "logprobs",
    idle: false,
  },
  topLogprobs: {
    group: "sampling",
    type: "number",
    wire: {
      chat: { name: "top_logprobs", needs: "logprobs" },
      responses: "top_logprobs",
      gemini: { name: "generationConfig.logprobs", needs: "logprobs" },
    },
    saved: "top_logprobs",
  },
  logitBias: {
    group: "sampling",
    type: "object",
    wire: { chat: { name: "logit_bias", needs: "logitBias" } },
    saved: "logit_bias",
  },
  verbosity: {
    group: "request",
    type: "text",
    wire: { chat: { name: "verbosity", needs: "openAiFields" }, responses: "text.verbosity" },
    saved: "verbosity",
  },
  /** Key of the provider's prompt cache. */
  cacheKey: {
    group: "request",
    type: "text",
    wire: {
      chat: { name: "prompt_cache_key", needs: "cacheKey" },
      responses: { name: "prompt_cache_key", needs: "cacheKey" },
    },
    saved: "prompt_cache_key",
  },
  /** How long the provider keeps its prompt cache. */
  cacheRetention: {
    group: "request",
    type: "text",
    wire: {
      chat: { name: "prompt_cache_retention", needs: "cacheKey" },
      responses: { name: "prompt_cache_retention", needs: "cacheKey" },
    },
    saved: "prompt_cache_retention",
  },
  user: {
    group: "request",
    type: "text",
    wire: {
      chat: { name: "user", readAs: ["safety_identifier", "user"], needs: "openAiFields" },
      responses: { name: "user", readAs: ["user", "safety_identifier"] },
      messages: "metadata.user_id",
    },
    saved: "user",
  },
  metadata: {
    group: "request",
    type: "object",
    wire: { chat: { name: "metadata", needs: "openAiFields" }, responses: "metadata" },
    saved: "metadata",
  },
  serviceTier: {
    group: "request",
    type: "text",
    wire: {
      chat: { name: "service_tier", needs: "openAiFields" },
      responses: "service_tier",
      messages: "service_tier",
      gemini: "serviceTier",
    },
    saved: "service_tier",
  },
  /** Whether the provider may keep the answer for later requests. */
  store: {
    group: "request",
    type: "boolean",
    wire: { chat: { name: "store", needs: "openAiFields" }, responses: "store" },
    saved: "store",
  },
} as const satisfies Record<string, ParameterRow>;

/** Name of a row: the member of `ModelRequest.sampling` or of `ModelRequest`. */
export type ParameterField = keyof typeof parameters;

/** What the request holds for a row. */
export type ParameterValue<Field extends ParameterField = ParameterField> =
  ParameterTypes[(typeof parameters)[Field]["type"]];

type RowsOf<Group extends ParameterRow["group"]> = {
  readonly [
    Field in ParameterField as (typeof parameters)[Field]["group"] extends Group ? Field : never
  ]?: ParameterValue<Field>;
};

/** The rows of the group `sampling`. */
export type Sampling = RowsOf<"sampling">;

/** The rows at the request's top level. */
export type RequestSettings = RowsOf<"request">;

/** All rows, in the table's order. */
export const parameterRows: readonly (ParameterRow & { readonly field: ParameterField })[] =
  Object.entries(parameters).map(([field, row]) => ({
    ...row,
    // The entries of the table have its keys.
    field: field as ParameterField,
  }));

/**
 * Parameters that OpenAI chat knows and that are more than one value in one place: each format's `parameters.ts`
 * and `applyParameters` handle them one by one.
 */
export const compoundParameters = [
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "reasoning_effort",
  "response_format",
  "parallel_tool_calls",
  "tool_choice",
  "safety_identifier",
  "modalities",
  "audio",
  "prediction",
  "stream_options",
  "web_search_options",
] as const;

/** A saved parameter for which the dashboard has a field. */
export interface ListedParameter extends ParameterForm {
  /** OpenAI chat's name, under which it is saved. */
  readonly name: string;
  readonly type: keyof ParameterTypes;
}

const compoundForms: readonly ListedParameter[] = [
  {
    name: "max_tokens",
    type: "number",
    label: "Max output tokens",
    hint: "Includes reasoning tokens.",
    min: 1,
    whole: true,
  },
  {
    name: "reasoning_effort",
    type: "text",
    label: "Reasoning effort",
    hint: "Sent only to models that support reasoning.",
    choices: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
  },
];

/** What the dashboard's page of saved parameters offers: compound ones first, then the rows that have a form. */
export const listedParameters: readonly ListedParameter[] = [
  ...compoundForms,
  ...parameterRows.flatMap(({ saved, type, form }) =>
    saved === undefined || form === undefined ? [] : [{ name: saved, type, ...form }],
  ),
];

/** The five fields that leave no trace in `X-Gateway-Dropped` when they are left out. */
export const openAiFields = [
  "stream_options",
  "reasoning_effort",
  "modalities",
  "audio",
  "prediction",
] as const;
export type OpenAiField = (typeof openAiFields)[number];
