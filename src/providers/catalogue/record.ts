/** The shape of a provider in the catalogue. A record states facts and differences; defaults say the rest. */
import type { Auth } from "../../core/format.ts";
import type { ProviderFormatName } from "../../core/format-name.ts";
import type { Jurisdiction } from "../../store/jurisdiction.ts";
import type { ModelInfo, Prices, Traits } from "../../core/model.ts";
import type { OfferedOperations } from "./offers.ts";

/** A format that the provider speaks, and where. */
export interface Endpoint {
  format: ProviderFormatName;
  /** Root of this format where it is not the record's `baseUrl`; not used under a configured address. */
  base?: string;
  /** Where it is not the format's usual one. */
  auth?: Auth;
  headers?: Readonly<Record<string, string>>;
  traits?: Partial<Traits>;
  /** Whether the provider counts tokens in this format. */
  counts?: boolean;
  /** An imitation with gaps: reaches only models whose rule names it. */
  partial?: boolean;
}

/** What holds for models whose provider's id (lower case) fits one of the patterns. Later rules win. */
export interface ModelRule {
  match: readonly string[];
  /** Only these formats reach the model, best first. */
  formats?: readonly ProviderFormatName[];
  /** The formats for which `traits` hold; all when absent. */
  on?: readonly ProviderFormatName[];
  traits?: Partial<Traits>;
  info?: Partial<ModelInfo>;
  /** What the table of prices does not have; fees and prices by kind are added to those of earlier rules. */
  prices?: Pick<Prices, "serviceTiers" | "regions" | "toolUses" | "answers" | "media">;
  /** Seconds until the first content, where the usual 60 are too few. */
  firstContent?: number;
}

/** How the provider's own model list is asked for and read. */
export interface ListSpec {
  /** After the base address; `/models` when absent. */
  path?: string;
  /** Root of the list where it is not the record's `baseUrl`. */
  base?: string;
  /** Format whose credential header and extra headers the list wants; the best endpoint's when absent. */
  as?: ProviderFormatName;
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
  /** Root addresses whose requests stay in a region, where the provider has any. */
  regions?: Readonly<Partial<Record<Jurisdiction, string>>>;
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
  /** How its keys begin, where that tells them from those of others. */
  keyPrefixes?: readonly string[];
  /** Source in the table of models: prices and windows by name. */
  source?: string;
  /** Endings by which a name means another way of serving the same model, at the same price of tokens. */
  variants?: readonly string[];
  /** `false`: the source's names are not this provider's, so they are not offered before its own list is known. */
  offered?: boolean;
  /** Models that the record itself knows. */
  models?: readonly ModelInfo[];
  /** `false`: it has no list. */
  list: ListSpec | false;
  /** What it offers beside generation. */
  operations?: OfferedOperations;
  /** Deviations from `defaultTraits` in every format. */
  traits?: Partial<Traits>;
  rules?: readonly ModelRule[];
  /** Ids (lower case) that are listed but can't answer a conversation. */
  exclude?: readonly string[];
  /** Answered in process, without a network. */
  inProcess?: boolean;
}
