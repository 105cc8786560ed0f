/** Gemini CLI: how it signs in, and variables in the `.env` of its folder. */
import path from "node:path";
import { membersOf } from "../files/member.ts";
import type { ConfigurableClient, UserPlace } from "./client.ts";
import { textAt } from "./said.ts";

export const geminiClient: ConfigurableClient = {
  id: "gemini",
  name: "Gemini CLI",
  command: "gemini",
  guide: "clients/gemini-cli",
  files(place, { url, key }) {
    const folder = path.join(homeOf(place), ".gemini");
    const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
    const variables = { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url };
    return [
      {
        kind: "members",
        file: path.join(folder, ".env"),
        format: "environment",
        members: membersOf(variables),
      },
      {
        kind: "members",
        file: path.join(folder, "settings.json"),
        format: "json",
        unreadable: ["a byte order mark", "a trailing comma"],
        members: membersOf(settings),
      },
    ];
  },
  request: (said) => ({
    format: "gemini",
    base: textAt(said[0], "GOOGLE_GEMINI_BASE_URL"),
    key: textAt(said[0], "GEMINI_API_KEY"),
    // Gemini CLI asks for names of its own; harnesses have an alias for them.
    model: "gemini-3.5-flash-lite",
  }),
  notes: () => [
    "Gemini CLI reads this .env only in trusted folders. A .env in the project's folder takes precedence.",
  ],
};

function homeOf({ home, environment }: UserPlace): string {
  const set = environment["GEMINI_CLI_HOME"];
  return set === undefined || set === "" ? home : set;
}
