/** The settings `THROTTLE_LIMIT` and `THROTTLE_TTL` of variant B. */
import { type Env, SettingsError } from "./env.ts";

/** What is set; undefined where nothing is. */
export interface ThrottleSettings {
  /** Requests in the window. */
  readonly limit: number | undefined;
  /** Length of the window, ms. */
  readonly span: number | undefined;
}

/** Throws SettingsError for what is no whole number above 0. */
export function throttleOf({
  THROTTLE_LIMIT,
  THROTTLE_TTL,
}: Pick<Env, "THROTTLE_LIMIT" | "THROTTLE_TTL">): ThrottleSettings {
  return {
    limit: wholeNumber("THROTTLE_LIMIT", THROTTLE_LIMIT),
    span: wholeNumber("THROTTLE_TTL", THROTTLE_TTL),
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new SettingsError(
    `The setting ${name} can't be ${JSON.stringify(text)}: use a whole number above 0.`,
  );
}
