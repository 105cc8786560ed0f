/** The setting `KEEP_ALIVE_AFTER`: after how much silence a stream begins for its client before its answer. */
import { type Env, SettingsError } from "./env.ts";

/** No answer is waited for so long. */
const longest = 900;

/** Whole seconds, 0 for never; undefined where it is not set. Throws SettingsError for anything else. */
export function keepAliveAfterOf({
  KEEP_ALIVE_AFTER: text = "",
}: Pick<Env, "KEEP_ALIVE_AFTER">): number | undefined {
  if (text.trim() === "") return undefined;
  const seconds = Number(text);
  if (Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= longest) return seconds;
  throw new SettingsError(
    `The setting KEEP_ALIVE_AFTER can't be ${JSON.stringify(text)}: use whole seconds up to ${longest}, or 0 for never.`,
  );
}
