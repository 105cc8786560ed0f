/** The secrets of a start, read from their places, and `secrets.json` in the state folder. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { objectsFolder } from "../workerd/capnp.ts";
import { readDevVars } from "./dev-vars.ts";
import { ownerOnly } from "./private-files.ts";
import {
  chooseSecrets,
  type ChosenSecrets,
  type SecretName,
  type SecretPlaces,
} from "./secrets.ts";

export interface SecretFiles {
  /** The state folder. */
  readonly folder: string;
  readonly devVars: string;
}

/** The file with the secrets that belong to a state. */
export function secretsFile(folder: string): string {
  return path.join(folder, "secrets.json");
}

/** What decides whether missing secrets are made. */
export type SecretRules = Pick<SecretPlaces, "renew" | "cloud">;

/** The secrets to start this state with. Throws, in words for the user, when a used state lacks one. */
export function secretsOf({ folder, devVars }: SecretFiles, rules: SecretRules): ChosenSecrets {
  const chosen = chooseSecrets({
    environment: process.env,
    devVars: readDevVars(devVars),
    state: readSecrets(secretsFile(folder)),
    used: holdsObjects(folder),
    ...rules,
  });
  if ("missing" in chosen) throw new Error(missingText(chosen.missing, { folder, devVars }));
  return chosen;
}

/** Adds what `secrets.json` lacks; what it holds stays. */
export function keepSecrets(folder: string, { toKeep }: Pick<ChosenSecrets, "toKeep">): void {
  if (Object.keys(toKeep).length === 0) return;
  const file = secretsFile(folder);
  const fresh = `${file}.${process.pid}`;
  const text = `${JSON.stringify({ ...readSecrets(file), ...toKeep }, null, 2)}\n`;
  writeFileSync(fresh, text, { mode: ownerOnly.file, flush: true });
  renameSync(fresh, file);
}

/** What to tell about secrets that the state's own file contradicts. Values are never told. */
export function differingLines(chosen: ChosenSecrets, { folder, devVars }: SecretFiles): string[] {
  return chosen.differing.map((name) => {
    const place = chosen.origins[name] === "environment" ? "the environment" : devVars;
    return `Warning: ${name} in ${place} differs from ${name} in ${secretsFile(folder)}. The one in ${place} is used${consequences[name]}.`;
  });
}

const consequences: Readonly<Record<SecretName, string>> = {
  ADMIN_TOKEN: "",
  ENCRYPTION_KEY:
    "; keys and provider credentials that were created with the other one do not work, unless ENCRYPTION_KEY lists both (new,old)",
};

/** The secrets in the file; none where it is absent. Throws, in words, when it cannot be read. */
export function readSecrets(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const value = parsed(readFileSync(file, "utf8"));
  const entries = Object.entries(value ?? {});
  if (value === undefined || entries.some(([, secret]) => typeof secret !== "string"))
    throw new Error(
      `${file} is damaged: it must be a JSON object of ADMIN_TOKEN and ENCRYPTION_KEY. Restore it from a backup.`,
    );
  return Object.fromEntries(entries);
}

function parsed(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Whether the members are texts is checked by the caller.
    return typeof value === "object" ? (value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an object has stored something here. workerd's own lists of objects do not count. */
function holdsObjects(folder: string): boolean {
  const objects = path.join(folder, objectsFolder);
  if (!existsSync(objects)) return false;
  return readdirSync(objects, { recursive: true, encoding: "utf8" }).some(
    (file) => file.endsWith(".sqlite") && path.basename(file) !== "metadata.sqlite",
  );
}

function missingText(missing: SecretName[], { folder, devVars }: SecretFiles): string {
  const lost = missing.includes("ENCRYPTION_KEY")
    ? "all keys of harnesses and all stored provider credentials stop working"
    : "only the old token is lost";
  return [
    `${folder} holds a gateway's state, but ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set:`,
    `  not in the environment, not in ${devVars}, not in ${secretsFile(folder)}.`,
    "Restore the file or the setting that this state was started with, or use another folder (--state).",
    `Versions before 0.2 kept them in .dev.vars of their own folder: copy that file to ${devVars}.`,
    `To continue with new secrets, start with --new-secrets: ${lost}.`,
  ].join("\n");
}
