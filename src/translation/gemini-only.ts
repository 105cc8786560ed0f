/** What only a Gemini provider can honour. */
import { invalid } from "../core/problem.ts";
import type { ModelRequest } from "../core/request.ts";

/** Throws M300 for what lies at Google, or what no other format can answer with. */
export function refuseGeminiOnly({ geminiOnly = [] }: ModelRequest): void {
  for (const path of geminiOnly) throw invalid(path, "only a Gemini provider can honour it");
}
