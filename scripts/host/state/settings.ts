/** The deployment's settings, from wherever they are set. */
import { readDevVars } from "./dev-vars.ts";
import { settings } from "../workerd/worker.ts";

/** The process environment over `.dev.vars` over the defaults; what is empty is left out. */
export function settingValues(devVars: string): Record<string, string> {
  const file = readDevVars(devVars);
  const entries = Object.entries(settings).map(
    ([name, usual]) => [name, process.env[name] ?? file[name] ?? usual] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
