/** What Claude Code must be told of the models behind a harness, as variables of its environment. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import { targetOf } from "../../providers/connection/target.ts";
import { wallOf, withinWall } from "../../providers/models/wall.ts";
import type { HarnessEntry } from "../../store/config.ts";
import { tierTable } from "./tier-candidates.ts";

type Judged = Pick<HarnessEntry, "models" | "routing" | "safeguard_model">;

/**
 * Every request says what it is for. A conversation is compacted before it outgrows a model that serves it: of names that
 * it does not know, Claude Code believes that a million tokens fit. Where nobody judges tool calls, auto mode does it
 * with requests of its own, or it would run none of them.
 */
export function claudeCodeEnvironment(
  harness: Judged | undefined,
  models: readonly ListedModel[],
): Record<string, string> {
  const allowed = withinWall(models, wallOf(harness?.models));
  const serving = Object.values(tierTable(allowed, harness?.routing)).flatMap(
    (tier) => tier.models,
  );
  const windows = serving.flatMap(({ info }) => info.contextWindow ?? []);
  const judged = harness?.safeguard_model !== undefined || serving.every(judgesItself);
  return {
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
    ...(windows.length > 0 && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(Math.min(...windows)) }),
    ...(!judged && { CLAUDE_CODE_AUTO_MODE_SERVER: "0" }),
  };
}

function judgesItself(model: ListedModel): boolean {
  return targetOf(model, "messages", true).traits.makersOwn;
}
