/** What is wrong with a provider's entry beyond its schema. */
import { Problem, problemCodes } from "../../core/problem.ts";
import type { ProviderEntry } from "../../store/config.ts";
import type { Reach } from "../../store/env.ts";
import { recordOf } from "../catalogue/kinds.ts";
import { checkBaseUrl } from "./address.ts";
import { addressIn } from "./connection.ts";

/** The member at fault and a Problem; undefined when nothing is wrong. */
export function entryProblem(
  entry: ProviderEntry,
  reach: Reach,
): { member: string; problem: Problem } | undefined {
  const record = recordOf(entry.kind);
  if (record === undefined) return fault("kind", `there is no kind ${JSON.stringify(entry.kind)}`);
  if (record.inProcess === true)
    return reach === "public" ? fault("kind", "is not available here") : undefined;
  if (record.endpoints.length === 0 && entry.format === undefined)
    return fault("format", "this kind needs one");
  const address = addressIn(entry, record);
  if (address === undefined && entry.region !== undefined)
    return fault("region", `this kind has no known address in that region; set its \`base_url\``);
  if (address === undefined)
    return fault(
      "base_url",
      `this kind needs one, for example ${record.baseUrlExample ?? "https://…"}`,
    );
  try {
    checkBaseUrl(address, reach);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return { member: "base_url", problem: error };
    throw error;
  }
}

function fault(member: string, text: string): { member: string; problem: Problem } {
  return { member, problem: new Problem(problemCodes.invalidRequest, `${member}: ${text}`) };
}
