/** `.dev.vars`: the deployment's settings and secrets, in the file that wrangler reads too. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { ownerOnly } from "./private-files.ts";
import { secretMakers } from "./secrets.ts";

/** Reads `NAME=value` lines; quotes round a value are taken off, lines that start with # are comments. */
export function readDevVars(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const entries: Record<string, string> = {};
  for (const line of readFileSync(file, "utf8").split(/\r?\n/)) {
    const [, name, raw] =
      /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || raw === undefined) continue;
    entries[name] = /^(["'`])(.*)\1$/.exec(raw)?.[2] ?? raw.replace(/\s+#.*$/, "");
  }
  return entries;
}

/**
 * Adds the secrets that neither the file nor the environment has, making the file (readable by its owner only)
 * when it is absent; those of `known` where it has them, else new ones. Returns the names of those it added.
 */
export function makeDevVars(
  file: string,
  known: Readonly<Partial<Record<string, string>>> = {},
): string[] {
  const places: Record<string, string | undefined>[] = [readDevVars(file), process.env];
  const missing = Object.entries(secretMakers).filter(([name]) =>
    places.every((place) => (place[name] ?? "") === ""),
  );
  if (missing.length === 0) return [];
  const old = existsSync(file) ? readFileSync(file, "utf8") : "";
  const start = old === "" || old.endsWith("\n") ? "" : "\n";
  const lines = missing.map(([name, make]) => `${name}="${known[name] ?? make()}"\n`);
  appendFileSync(file, start + lines.join(""), { mode: ownerOnly.file });
  return missing.map(([name]) => name);
}
