/** The shape of a provider in the catalogue. A record states facts and differences; defaults say the rest. */
import type { FormatName } from "../../core/format-name.ts";
import type { ModelInfo, Traits } from "../../core/model.ts";

/** In which header the credential travels. */
export type Auth = "bearer" | "x-api-key" | "x-goog-api-key" | "api-key";

/** A dialect that the provider speaks, and where. */
export interface Endpoint {
  format: FormatName;
  /** Root of this dialect where it is not the record's `baseUrl`; not used under a configured address. */
  base?: string;
  /** Where it is not the dialect's usual one (`wireDefaults`). */
  auth?: Auth;
  headers?: Readonly<Record<string, string>>;
  traits?: Partial<Traits>;
  /** Whether the provider counts tokens in this dialect. */
  counts?: boolean;
  /** An imitation with gaps: reaches only models whose rule names it. */
  partial?: boolean;
}

/** What holds for models whose provider's id (lower case) fits one of the patterns. Later rules win. */
export interface ModelRule {
  match: readonly string[];
  /** Only these dialects reach the model, best first. */
  formats?: readonly FormatName[];
  /** The dialects for which `traits` hold; all when absent. */
  on?: readonly FormatName[];
  traits?: Partial<Traits>;
  info?: Partial<ModelInfo>;
  /** Seconds until the first content, where the usual 60 are too few. */
  firstContent?: number;
}

/** How the provider's own model list is asked for and read. */
export interface ListSpec {
  /** After the base address; `/models` when absent. */
  path?: string;
  /** Root of the list where it is not the record's `baseUrl`. */
  base?: string;
  /** Dialect whose credential header and extra headers the list wants; the best wire's when absent. */
  as?: FormatName;
  /** Unit of `pricing` numbers in the list, where it has any. */
  prices?: "per_token" | "per_million";
}

/** Credentials of another make that the same provider takes. */
interface TokenStyle {
  /** How such a credential begins. */
  prefix: string;
  auth: Auth;
  headers: Readonly<Record<string, string>>;
}

export interface KindRecord {
  name: string;
  docs: string;
  /** Root of all paths, without a slash at its end. Absent: the entry has to give it. */
  baseUrl?: string;
  /** How the address looks when the entry has to give it. */
  baseUrlExample?: string;
  /** Best first. Empty for `custom`, whose entry names its format. */
  endpoints: readonly Endpoint[];
  headers?: Readonly<Record<string, string>>;
  tokens?: readonly TokenStyle[];
  /** Takes the five OpenAI-only fields. */
  openAiFields?: boolean;
  /** Answers without a credential. */
  keyless?: boolean;
  /** Port on this machine where such a server usually listens. */
  port?: number;
  /** Environment variables that usually hold its key. */
  env?: readonly string[];
  /** Source in the table of models: prices and windows by name. */
  source?: string;
  /** `false`: the source's names are not this provider's, so they are not offered before its own list is known. */
  offered?: boolean;
  /** Models that the record itself knows. */
  models?: readonly ModelInfo[];
  /** `false`: it has no list. */
  list: ListSpec | false;
  /** Deviations from `defaultTraits` in every dialect. */
  traits?: Partial<Traits>;
  rules?: readonly ModelRule[];
  /** Ids (lower case) that are listed but can't answer a conversation. */
  exclude?: readonly string[];
  /** Answered in process, without a network. */
  inProcess?: boolean;
}

/** What a dialect's endpoints have in common everywhere. */
export const wireDefaults = {
  chat: { auth: "bearer", headers: {} },
  responses: { auth: "bearer", headers: {} },
  messages: { auth: "x-api-key", headers: { "anthropic-version": "2023-06-01" } },
  gemini: { auth: "x-goog-api-key", headers: {} },
} as const satisfies Record<FormatName, { auth: Auth; headers: Readonly<Record<string, string>> }>;

/** The path of one call under a wire's root. `model` is only part of Gemini's. */
export function wirePath(
  format: FormatName,
  model: string,
  call: "whole" | "stream" | "count",
): string {
  switch (format) {
    case "chat":
      return "/chat/completions";
    case "responses":
      return call === "count" ? "/responses/input_tokens" : "/responses";
    case "messages":
      return call === "count" ? "/messages/count_tokens" : "/messages";
    case "gemini":
      return `/models/${encodeURIComponent(model)}:${geminiMethod[call]}`;
    default:
      return format satisfies never;
  }
}

const geminiMethod = {
  whole: "generateContent",
  stream: "streamGenerateContent?alt=sse",
  count: "countTokens",
} as const;
