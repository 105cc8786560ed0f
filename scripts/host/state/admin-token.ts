/** The admin token of a gateway whose state folder is at hand. */
import path from "node:path";
import { readDevVars } from "./dev-vars.ts";
import { readSecrets, secretsFile } from "./state-secrets.ts";

/** Files of settings that belong to a state: the package's lies in it, a clone's beside it. */
export function settingsFilesOf(folder: string): string[] {
  return [folder, path.dirname(folder)].map((place) => path.join(place, ".dev.vars"));
}

/** The token that its start has found, where this start would find it; undefined where it is in no such place. */
export function adminTokenOf(
  folder: string,
  settingsFiles: readonly string[] = settingsFilesOf(folder),
): string | undefined {
  const places = [
    () => process.env,
    ...settingsFiles.map((file) => () => readDevVars(file)),
    () => readSecrets(secretsFile(folder)),
  ];
  for (const place of places) {
    const token = place()["ADMIN_TOKEN"];
    if (token !== undefined && token !== "") return token;
  }
  return undefined;
}
