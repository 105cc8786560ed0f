/** What a start asks the running gateway for: at the first one a key, at every one what to tell the user. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { adminOf, type Admin } from "./admin.ts";
import { claudeCodeVariables } from "./claude-code.ts";
import { connectKeys, keysIn, type FoundKey } from "./environment.ts";
import { ownerOnly } from "../state/private-files.ts";
import { welcomeText, type TokenStatus, type TokenPlace } from "./welcome.ts";

/** The note in the state folder that says that the first start is over. */
export const firstStartNote = "first-start";

export interface SetupOptions {
  base: string;
  /** The state folder. */
  folder: string;
  /** Undefined where only people administer it, who sign in. */
  admin: { token: string; place: TokenPlace; made: boolean } | undefined;
  importEnv: boolean;
  /** How its user starts it, up to the options. */
  startWords: string;
  /** How its user connects a client, up to its name. */
  connectWords: string;
}

/** Does the first start's set-up where it is the first, connects keys when asked to, and returns what to print. */
export async function setUp(options: SetupOptions): Promise<string> {
  const { base, importEnv, admin: given } = options;
  const dashboard = await hasDashboard(base);
  if (given === undefined) return welcomeText({ base, dashboard, token: { kind: "none" } });
  const admin = adminOf(base, given.token);
  const holds = await admin.holds();
  const found = keysIn(process.env);
  const connected = importEnv && holds ? await connectKeys(admin, found) : [];
  const token: TokenStatus = holds
    ? await firstStart(options, given, admin)
    : { kind: "replaced", place: given.place };
  const lines =
    importEnv && !holds ? unconnectedLines(found) : environmentLines(options, found, connected);
  return [welcomeText({ base, dashboard, token }), ...lines].join("\n");
}

async function firstStart(
  { folder, connectWords }: SetupOptions,
  { token, place, made }: NonNullable<SetupOptions["admin"]>,
  admin: Admin,
): Promise<TokenStatus> {
  const note = path.join(folder, firstStartNote);
  if (existsSync(note)) return { kind: "unchanged", place };
  const harness = firstHarness(await admin.get("/api/config"));
  const key = harness === undefined ? undefined : await firstKey(admin, harness.id);
  writeFileSync(note, `${new Date().toISOString()}\n`, { mode: ownerOnly.file });
  const claudeCode =
    harness === undefined || key === undefined ? "" : await claudeCodeVariables(admin, harness.id);
  return {
    kind: "first",
    made: made ? token : undefined,
    place,
    key,
    harness: harness?.name ?? "",
    claudeCode,
    connectWords,
  };
}

/** A key for a harness that has none yet. */
async function firstKey(admin: Admin, harness: string): Promise<string | undefined> {
  const keys = await admin.get(`/api/harnesses/${harness}/keys`);
  if (
    typeof keys === "object" &&
    keys !== null &&
    "data" in keys &&
    Array.isArray(keys.data) &&
    keys.data.length > 0
  ) {
    return undefined;
  }
  const made = await admin.post(`/api/harnesses/${harness}/keys`, { name: "first key" });
  if (typeof made === "object" && made !== null && "key" in made && typeof made.key === "string")
    return made.key;
  throw new Error("the gateway created no key");
}

function firstHarness(config: unknown): { id: string; name: string } | undefined {
  if (typeof config !== "object" || config === null || !("harnesses" in config)) return undefined;
  // The admin API's own answer: its shape is the document's.
  return (config.harnesses as { id: string; name: string }[])[0];
}

async function hasDashboard(base: string): Promise<boolean> {
  const answer = await fetch(`${base}/dashboard`, { redirect: "manual" });
  await answer.arrayBuffer();
  return answer.status < 400;
}

function environmentLines(
  options: SetupOptions,
  found: FoundKey[],
  connected: FoundKey[],
): string[] {
  if (found.length === 0) return [];
  if (!options.importEnv) {
    return [
      "",
      `API keys found in the environment: ${listOf(found)}.`,
      `Add these providers with: ${options.startWords} --import-env`,
    ];
  }
  return [
    "",
    connected.length > 0
      ? `Added: ${listOf(connected)}.`
      : "All providers in the environment were already added.",
  ];
}

function unconnectedLines(found: FoundKey[]): string[] {
  if (found.length === 0) return [];
  return ["", `Not added, because the new admin token is needed: ${listOf(found)}.`];
}

function listOf(keys: FoundKey[]): string {
  return keys.map((key) => `${key.name} (${key.variable})`).join(", ");
}
