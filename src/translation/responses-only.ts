/** What only a provider of the Responses API can honour. */
import { invalid } from "../core/problem.ts";
import type { ModelRequest } from "../core/request.ts";

/** Throws M300 for what only a provider of the Responses API can honour: it keeps what the request refers to. */
export function refuseResponsesOnly(request: ModelRequest): void {
  if (request.previousResponseId !== undefined) {
    throw invalid(
      request.paths.previousResponseId ?? "previous_response_id",
      "this provider keeps no earlier responses; send the whole conversation",
    );
  }
  for (const path of request.responsesOnly ?? []) {
    throw invalid(path, "only a provider of the Responses API can honour it");
  }
}
