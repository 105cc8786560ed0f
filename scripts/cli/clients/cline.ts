/** Cline CLI: the file that `cline auth` writes. */
import path from "node:path";
import { membersOf } from "../files/member.ts";
import { folderFrom, type ConfigurableClient, type UserPlace } from "./client.ts";
import { textAt } from "./said.ts";

const kind = "openai-compatible";

export const clineClient: ConfigurableClient = {
  id: "cline",
  name: "Cline CLI",
  command: "cline",
  guide: "clients/cline",
  files(place, { url, key, model }) {
    const settings = { provider: kind, apiKey: key, model, baseUrl: `${url}/v1` };
    // Cline refuses an entry without a time; which one says nothing.
    const entry = { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" };
    const providers = { version: 1, lastUsedProvider: kind, providers: { [kind]: entry } };
    return [
      {
        kind: "members",
        file: fileOf(place),
        format: "json",
        unreadable: ["a byte order mark", "a comment", "a trailing comma"],
        members: membersOf(providers).map((member) =>
          member.path.at(-1) === "updatedAt" ? { ...member, fleeting: true as const } : member,
        ),
      },
    ];
  },
  request: (said) => ({
    format: "chat",
    base: textAt(said[0], "providers", kind, "settings", "baseUrl"),
    key: textAt(said[0], "providers", kind, "settings", "apiKey"),
    model: textAt(said[0], "providers", kind, "settings", "model"),
  }),
};

/** Cline's own order: the file, the folder of its data, its folder. */
function fileOf(place: UserPlace): string {
  const named = place.environment["CLINE_PROVIDER_SETTINGS_PATH"] ?? "";
  if (named !== "") return named;
  const usual = path.join(folderFrom(place, "CLINE_DIR", ".cline"), "data");
  const set = place.environment["CLINE_DATA_DIR"] ?? "";
  return path.join(set === "" ? usual : set, "settings", "providers.json");
}
