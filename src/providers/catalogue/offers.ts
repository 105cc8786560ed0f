/** How records say which operations a provider offers. Sources: the providers' API references. */
import type { OperationName } from "../../core/operation-name.ts";

/** Where a provider offers an operation. */
export interface OperationPlace {
  /** Root of its path where it is not that of the provider's format; not used under a configured address. */
  readonly base?: string;
}

/** What a provider offers beside generation; what is missing it has not, or in a form of its own. */
export type OfferedOperations = Readonly<Partial<Record<OperationName, OperationPlace>>>;

/** Operations under the root of the provider's format. */
export function offering(...names: readonly OperationName[]): OfferedOperations {
  return Object.fromEntries(names.map((name) => [name, {}]));
}

/** What OpenAI's own service has. */
export const openAiOperations = offering(
  "embeddings",
  "images",
  "image_edits",
  "speech",
  "transcriptions",
  "translations",
  "completions",
);
