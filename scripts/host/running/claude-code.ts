/** What Claude Code is told of the models that a harness uses, as variables of its environment. */
import type { Admin } from "./admin.ts";

/**
 * The smallest context window, because Claude Code believes that a million tokens fit into a model that it does not know;
 * and where nobody judges tool calls for its auto mode, that it does so itself.
 */
export async function claudeCodeSettings(
  admin: Admin,
  harness: string,
): Promise<Record<string, string>> {
  const serving = await servingModels(admin, harness);
  const window = await smallestWindow(admin, serving);
  const judged = await judgesThemselves(admin, serving);
  return {
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
    ...(window !== undefined && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(window) }),
    ...(!judged && { CLAUDE_CODE_AUTO_MODE_SERVER: "0" }),
  };
}

/** The same as written before a command, each followed by a blank. */
export async function claudeCodeVariables(admin: Admin, harness: string): Promise<string> {
  const settings = Object.entries(await claudeCodeSettings(admin, harness));
  return settings.map(([name, value]) => `${name}=${value} `).join("");
}

/** Ids of the models of all tiers. */
async function servingModels(admin: Admin, harness: string): Promise<ReadonlySet<string>> {
  // The admin API's own answer.
  const { data } = (await admin.get(`/api/harnesses/${harness}/tiers`)) as {
    data: { models: string[] }[];
  };
  return new Set(data.flatMap(({ models }) => models));
}

/** In tokens; undefined where none is known. */
async function smallestWindow(
  admin: Admin,
  serving: ReadonlySet<string>,
): Promise<number | undefined> {
  // The admin API's own answer.
  const { data } = (await admin.get("/api/models")) as {
    data: { id: string; context_window: number | null }[];
  };
  const windows = data
    .filter(({ id }) => serving.has(id))
    .flatMap(({ context_window: size }) => size ?? []);
  return windows.length > 0 ? Math.min(...windows) : undefined;
}

/** Whether all of them come from Anthropic's own service. */
async function judgesThemselves(admin: Admin, serving: ReadonlySet<string>): Promise<boolean> {
  const { providers = [] } = (await admin.get("/api/config")) as {
    providers?: { id: string; kind: string }[];
  };
  const own = new Set(providers.filter(({ kind }) => kind === "anthropic").map(({ id }) => id));
  return [...serving].every((id) => own.has(id.slice(0, id.indexOf("/"))));
}
