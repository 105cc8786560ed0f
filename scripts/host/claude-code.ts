/** What the start-up line for Claude Code says of the models that the first harness uses. */
import type { Admin } from "./admin.ts";

interface Asked {
  base: string;
  key: string;
  /** Id of the harness. */
  harness: string;
}

/**
 * Variables with a blank behind each. The smallest context window, because Claude Code believes that a million tokens fit
 * into a model that it does not know; and where nobody judges tool calls for its auto mode, that it does so itself.
 */
export async function claudeCodeVariables(admin: Admin, asked: Asked): Promise<string> {
  const serving = await servingModels(admin, asked.harness);
  const windows = await windowsOf(serving, asked);
  const judged = await judgesThemselves(admin, serving);
  return [
    "CLAUDE_CODE_GATEWAY_HINT_HEADERS=1 ",
    ...(windows.length > 0 ? [`CLAUDE_CODE_MAX_CONTEXT_TOKENS=${Math.min(...windows)} `] : []),
    ...(judged ? [] : ["CLAUDE_CODE_AUTO_MODE_SERVER=0 "]),
  ].join("");
}

/** Ids of the models of all tiers. */
async function servingModels(admin: Admin, harness: string): Promise<ReadonlySet<string>> {
  // The admin API's own answer.
  const { data } = (await admin.get(`/api/harnesses/${harness}/tiers`)) as {
    data: { models: string[] }[];
  };
  return new Set(data.flatMap(({ models }) => models));
}

/** Those that are known, in tokens. */
async function windowsOf(serving: ReadonlySet<string>, { base, key }: Asked): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, "anthropic-version": "2023-06-01" };
  const answer = await fetch(`${base}/v1/models`, { headers });
  if (!answer.ok) return [];
  // The gateway's own list.
  const { data } = (await answer.json()) as {
    data: { id: string; max_input_tokens: number | null }[];
  };
  return data
    .filter(({ id }) => serving.has(id))
    .flatMap(({ max_input_tokens: size }) => size ?? []);
}

/** Whether all of them come from Anthropic's own service. */
async function judgesThemselves(admin: Admin, serving: ReadonlySet<string>): Promise<boolean> {
  const { providers = [] } = (await admin.get("/api/config")) as {
    providers?: { id: string; kind: string }[];
  };
  const own = new Set(providers.filter(({ kind }) => kind === "anthropic").map(({ id }) => id));
  return [...serving].every((id) => own.has(id.slice(0, id.indexOf("/"))));
}
