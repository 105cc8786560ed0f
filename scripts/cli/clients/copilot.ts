/** GitHub Copilot CLI: it has variables only, so they go into a file that a shell reads. */
import path from "node:path";
import { folderFrom, type ConfigurableClient, type UserPlace } from "./client.ts";

export const copilotClient: ConfigurableClient = {
  id: "copilot",
  name: "GitHub Copilot CLI",
  command: "copilot",
  guide: "clients/copilot-cli",
  files(place, { url, key, model, context }) {
    const variables = {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: model,
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(context),
      COPILOT_OFFLINE: "true",
    };
    const line = place.platform === "win32" ? powershellLine : shellLine;
    return [
      { kind: "own", file: fileOf(place), text: Object.entries(variables).map(line).join("") },
    ];
  },
  request(said) {
    const text = String(said[0]);
    const valueOf = (name: string): string =>
      new RegExp(`${name}\\s*=\\s*'([^']*)'`).exec(text)?.[1] ?? "";
    return {
      format: "chat",
      base: valueOf("COPILOT_PROVIDER_BASE_URL"),
      key: valueOf("COPILOT_PROVIDER_API_KEY"),
      model: valueOf("COPILOT_MODEL"),
    };
  },
  notes: (place) => [
    "GitHub Copilot CLI reads only environment variables. Run this in the shell that starts it, or add it to your shell profile:",
    `  . '${fileOf(place)}'`,
  ],
};

function shellLine([name, value]: [string, string]): string {
  return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`;
}

function powershellLine([name, value]: [string, string]): string {
  return `$env:${name} = '${value.replaceAll("'", "''")}'\r\n`;
}

function fileOf(place: UserPlace): string {
  const folder = path.join(folderFrom(place, "XDG_CONFIG_HOME", ".config"), "routing-gateway");
  return path.join(folder, place.platform === "win32" ? "copilot.ps1" : "copilot.sh");
}
