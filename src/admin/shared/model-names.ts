/** What models are called where people read of them. */
import type { Directory } from "../../providers/models/directory.ts";
import { bareName } from "../../routing/explanation/decision-sentence.ts";
import type { NameOf } from "../../routing/explanation/told-decision.ts";

/** Names as providers and the catalogue give them; else the id without its connection. */
export function displayNames(directory: Directory): NameOf {
  return (id) => directory.byId.get(id)?.info.displayName ?? bareName(id);
}
