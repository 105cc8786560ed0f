/** The deployment's settings, from wherever they are set. */
import { settingsOf, type Settings } from "../../src/store/env.ts";
import { readDevVars } from "./dev-vars.ts";
import { settings } from "./worker.ts";

/** The process environment over `.dev.vars` over the defaults; what is empty is left out. */
export function settingValues(devVars: string): Record<string, string> {
  const file = readDevVars(devVars);
  const entries = Object.entries(settings).map(
    ([name, usual]) => [name, process.env[name] ?? file[name] ?? usual] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** The values, secrets among them, as the worker will read them. Throws SettingsError, whose message is for the user. */
export function checkedSettings(values: Readonly<Record<string, string>>): Settings {
  return settingsOf(values);
}
