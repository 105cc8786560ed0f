import { expect, it } from "vitest";
import { directoryOf } from "../../src/providers/models/directory.ts";
import { claudeCodeEnvironment } from "../../src/routing/models/claude-code-environment.ts";
import type { ProviderEntry } from "../../src/store/config.ts";

const lab: ProviderEntry = {
  id: "lab",
  kind: "custom",
  format: "messages",
  base_url: "https://lab.test/v1",
  models: [
    { id: "large", context_window: 200_000 },
    { id: "small", context_window: 32_000 },
    { id: "unknown" },
  ],
};
const own: ProviderEntry = {
  id: "own",
  kind: "anthropic",
  api_key: "sk-test",
  models: [{ id: "claude-x", context_window: 180_000 }],
};
const { models } = directoryOf([lab, own], {}, Date.UTC(2026, 10, 22));
const hint = { CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1" };
const ownJudge = { CLAUDE_CODE_AUTO_MODE_SERVER: "0" };

function tiersOf(...ids: string[]) {
  const [simple, standard, complex, reasoning, byDefault] = [ids, ids, ids, ids, ids];
  return { tiers: { simple, standard, complex, reasoning, default: byDefault } };
}

it("names the smallest window among the tiers' models, and no other's", () => {
  const routing = tiersOf("lab/large", "own/claude-x", "lab/unknown");
  expect(claudeCodeEnvironment({ routing }, models)).toEqual({
    ...hint,
    ...ownJudge,
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: "180000",
  });
  expect(claudeCodeEnvironment({ routing: tiersOf("lab/unknown") }, models)).toEqual({
    ...hint,
    ...ownJudge,
  });
});

it("leaves judging to the server where it is done there: by Anthropic, or by the harness's judge", () => {
  const window = { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "180000" };
  const routing = tiersOf("own/claude-x");
  expect(claudeCodeEnvironment({ routing }, models)).toEqual({ ...hint, ...window });
  const judged = { routing: tiersOf("lab/large", "own/claude-x"), safeguard_model: "lab/small" };
  expect(claudeCodeEnvironment(judged, models)).toEqual({ ...hint, ...window });
});
