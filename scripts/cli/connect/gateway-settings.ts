/** What a client is told of the gateway. */
import type { Admin } from "../../host/running/admin.ts";
import { claudeCodeSettings } from "../../host/running/claude-code.ts";
import type { GatewaySettings } from "../clients/client.ts";

/** Tokens that are taken to fit where nothing is known of the models. */
const usualContext = 200_000;

/** What is asked of a gateway, once for all files of a client. */
export interface SettingsAsked {
  readonly url: string;
  readonly admin: Admin | undefined;
  readonly harness: string | undefined;
  readonly model: string;
}

/** All but the key and what only a key can fetch. */
export async function settingsWithoutKey(
  asked: SettingsAsked,
): Promise<Omit<GatewaySettings, "key" | "codexCatalogue">> {
  const { admin, harness, url, model } = asked;
  const claudeCode =
    admin === undefined || harness === undefined
      ? { CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1" }
      : await claudeCodeSettings(admin, harness);
  const known: Readonly<Record<string, string>> = claudeCode;
  const context = Number(known["CLAUDE_CODE_MAX_CONTEXT_TOKENS"] ?? usualContext);
  return { url, model, claudeCode, context };
}

/** The gateway's models in the form that Codex reads. */
export async function codexCatalogue(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/codex-models.json`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}/v1/codex-models.json: ${answer.status}`);
  return text;
}
