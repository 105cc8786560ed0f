/**
 * The settings that a signed-in Claude Code takes over at every start and once an hour, with a checksum by which it asks
 * again.
 */
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { Directory } from "../../providers/models/directory.ts";
import { claudeCodeEnvironment } from "../../routing/models/claude-code-environment.ts";
import type { Config } from "../../store/config.ts";
import { hashKey } from "../../store/keys.ts";

/** What `GET /managed/settings` answers with. */
export interface ManagedSettings {
  /** The checksum again: settings that are alike are the same. */
  readonly uuid: string;
  /** `sha256:` and the hexadecimal hash of the settings as canonical JSON. */
  readonly checksum: string;
  readonly settings: JsonObject;
}

/** The gateway's own settings, and over them those of the document. */
export async function managedSettings(
  config: Config,
  { harness, directory }: { harness: string; directory: Directory },
): Promise<ManagedSettings> {
  const settings = merged(ownSettings(config, harness, directory), documented(config));
  const checksum = `sha256:${await hashKey(canonicalJson(settings))}`;
  return { uuid: checksum, checksum, settings };
}

/** JSON with members in the order of their names, without blanks. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  const members = names.map(
    (name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`,
  );
  return `{${members.join(",")}}`;
}

function ownSettings(config: Config, id: string, { models }: Directory): JsonObject {
  const harness = config.harnesses?.find((entry) => entry.id === id);
  return { env: claudeCodeEnvironment(harness, models) };
}

function documented({ sign_in: signIn }: Config): JsonObject {
  return signIn?.managed_settings ?? {};
}

/** Members of the second replace those of the first; `env` is merged. */
function merged(first: JsonObject, second: JsonObject): JsonObject {
  const env = { ...objectOf(first["env"]), ...objectOf(second["env"]) };
  return { ...first, ...second, env };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
