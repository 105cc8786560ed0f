/** In which format a model's provider searches the web: OpenAI's chat has no search, its Responses have one. */
import { type ClientFormatName, clientFormatNames } from "../../core/format-name.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import { targetOf } from "../../providers/connection/target.ts";

/** The client's format from which the model is asked where its search is; undefined where it has none. */
export function searchFormat(model: ListedModel): ClientFormatName | undefined {
  return clientFormatNames.find((name) => targetOf(model, name, false).traits.webSearch);
}
