/** Whether a state folder is private and complete. */
import { existsSync, statSync } from "node:fs";
import { settingsFilesOf } from "../../host/state/admin-token.ts";
import { readDevVars } from "../../host/state/dev-vars.ts";
import { whyUnusable } from "../../host/state/open-folder.ts";
import { readSecrets, secretsFile } from "../../host/state/state-secrets.ts";
import { secrets } from "../../host/workerd/worker.ts";
import { holdsState } from "../state-folder.ts";
import { fine, type Finding } from "./finding.ts";

/** Names of secrets are told, never their values. */
export function checkStateFolder(folder: string): Finding[] {
  const why = whyUnusable(folder);
  if (why !== undefined)
    return [
      {
        level: "fail",
        text: `${folder} cannot be the state folder: ${why}`,
        advice: "Run this as its owner, or choose another folder with --state.",
        page: "security",
      },
    ];
  if (!existsSync(folder) || !holdsState(folder))
    return [fine(`no state in ${folder} yet: the first start creates it`)];
  return [...checkRights(folder), checkSecrets(folder)];
}

function checkRights(folder: string): Finding[] {
  const wide = [folder, secretsFile(folder)].filter(
    (file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0,
  );
  const foreign = statSync(folder).uid !== process.getuid?.();
  if (foreign)
    return [
      {
        level: "warn",
        text: `${folder} belongs to another user`,
        advice: "Run the gateway and this command as that user.",
        page: "security",
      },
    ];
  if (wide.length === 0) return [fine(`state in ${folder}, readable only by its owner`)];
  return [
    {
      level: "warn",
      text: `other users of this machine can read ${wide.join(" and ")}`,
      advice: `chmod go= ${wide.map((file) => `'${file}'`).join(" ")}`,
      page: "security",
    },
  ];
}

function checkSecrets(folder: string): Finding {
  try {
    const places = [
      process.env,
      readSecrets(secretsFile(folder)),
      ...settingsFilesOf(folder).map(readDevVars),
    ];
    const missing = secrets.filter((name) => places.every((place) => (place[name] ?? "") === ""));
    if (missing.length === 0) return fine("secrets found");
    return {
      level: "fail",
      text: `${missing.join(" and ")} missing for the state in ${folder}`,
      advice:
        "Restore secrets.json from a backup, or set the variables that the gateway was started with.",
      page: "backup",
    };
  } catch (error) {
    return { level: "fail", text: error instanceof Error ? error.message : String(error) };
  }
}
