/** Hides keys in what is shown: terminals are shared and kept. */
import { textEditors, type TextFormat } from "../files/formats.ts";
import { MalformedText, membersOf, type MemberValue } from "../files/member.ts";

/** Names of members whose values are secret, ours and those of others. */
const secretName = /(?:key|token|secret|password|credentials?|authorization)$/i;
/** Names of variables, and numbers, tell nothing. */
const harmless = /^[A-Z0-9_]*$/;
const least = 6;

/** The secrets that a configuration file holds. */
export function secretsIn(format: TextFormat, text: string): string[] {
  return membersOf(said(format, text)).flatMap(({ path, value }) => {
    const secret =
      typeof value === "string" &&
      value.length >= least &&
      secretName.test(path.at(-1) ?? "") &&
      !harmless.test(value);
    // As JSON and TOML write it, too.
    return secret ? [value, JSON.stringify(value).slice(1, -1)] : [];
  });
}

function said(format: TextFormat, text: string): MemberValue {
  try {
    return textEditors[format].read(text);
  } catch (error) {
    if (error instanceof MalformedText) return {};
    throw error;
  }
}

/** The text with the beginnings of these secrets alone. */
export function masked(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets
    .filter((secret) => secret !== undefined && secret.length >= least)
    .sort((one, other) => (other?.length ?? 0) - (one?.length ?? 0))
    .reduce<string>((rest, secret = "") => rest.replaceAll(secret, beginningOf(secret)), text);
}

/** Enough of a key to know it by. */
export function beginningOf(key: string): string {
  return `${key.slice(0, key.length >= 2 * least ? least : 0)}…`;
}
