/** The deployment's settings and secrets, from wherever they are set. */
import { allowedHostsOf } from "../../src/store/allowed-hosts.ts";
import { settingsOf } from "../../src/store/env.ts";
import { readDevVars } from "./dev-vars.ts";
import { devVarsFile } from "./paths.ts";
import { secrets, settings } from "./worker.ts";

/**
 * The process environment over `.dev.vars` over the defaults; what is empty is left out, and an empty secret in
 * the environment is none. Throws SettingsError, whose message is for the user.
 */
export function settingValues(): Record<string, string> {
  const file = readDevVars(devVarsFile);
  const entries = [
    ...Object.entries(settings).map(
      ([name, usual]) => [name, process.env[name] ?? file[name] ?? usual] as const,
    ),
    ...secrets.map((name) => [name, secretInEnvironment(name) ?? file[name] ?? ""] as const),
  ];
  const values = Object.fromEntries(entries.filter(([, value]) => value !== ""));
  settingsOf(values);
  allowedHostsOf(values);
  return values;
}

/** Undefined where it is not set or empty. */
export function secretInEnvironment(name: (typeof secrets)[number]): string | undefined {
  const value = process.env[name];
  return value === "" ? undefined : value;
}
