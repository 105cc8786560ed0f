/** The setting `LOG`: which requests have a line on standard output. */
import { type Env, oneOf } from "./env.ts";

const levels = ["off", "errors", "all"] as const;

/** No request, those that failed or were blocked, or every one. */
export type LogLevel = (typeof levels)[number];

/** In any letter case; `off` where it is not set. Throws SettingsError for any other value. */
export function logLevelOf({ LOG }: Partial<Pick<Env, "LOG">>): LogLevel {
  return oneOf(levels, { name: "LOG", text: LOG });
}
