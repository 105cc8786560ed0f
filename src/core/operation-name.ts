/** What a request may ask beside generation, by name. A new one begins with a name here and a record in `operations/`. */
import { clientFormatNames, type ClientFormatName } from "./format-name.ts";

export const operationNames = [
  "embeddings",
  "images",
  "image_edits",
  "speech",
  "transcriptions",
  "translations",
  "completions",
  "moderations",
  "rerank",
] as const;

/** One of them. */
export type OperationName = (typeof operationNames)[number];

/** What the log, metrics and traces call a request: the format of a generation, or the operation. */
export type LoggedFormat = ClientFormatName | OperationName;

export const loggedFormats: readonly LoggedFormat[] = [...clientFormatNames, ...operationNames];

export function isOperation(name: LoggedFormat): name is OperationName {
  const names: readonly string[] = operationNames;
  return names.includes(name);
}
