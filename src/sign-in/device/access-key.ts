/** The access token of a signed-in program: an expiring key of the person, in the harness for sign-ins. */
import { askDirectory } from "../../admin/shared/credentials/access.ts";
import type { Env } from "../../store/env.ts";
import type { Keyring } from "../../store/keyring.ts";
import { hashKey, makeKey } from "../../store/keys.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import type { Person } from "../../workspace/accounts/tables/scope.ts";
import { onWorkspace } from "../../workspace/client/on-workspace.ts";
import { signInKeyId } from "../../workspace/rules/sign-in-keys.ts";
import { accessSecret, type RefreshToken } from "./secret-texts.ts";
import { signInHarness } from "./settings.ts";

/** How keys of sign-ins are called. */
const keyLabel = "Claude Code sign-in";

/** Seconds for which an access token is good. */
const accessTime = 3600;

/** A program that a person signed in. */
export interface ProgramSignIn {
  readonly person: Person;
  readonly workspace: string;
  readonly refresh: RefreshToken;
}

/** The text of a key, and for how many seconds it is good. */
export interface AccessKey {
  readonly text: string;
  readonly seconds: number;
}

/**
 * The key that is handed out with that refresh token: the same one whenever it is asked for. Undefined where the person
 * has left the workspace; the sign-in is over then.
 */
export async function makeAccessKey(
  env: Env,
  { person, workspace, refresh }: ProgramSignIn,
  ring: Keyring,
): Promise<AccessKey | undefined> {
  const snapshot = await onWorkspace(env, workspace, (stub) => stub.snapshot());
  const harness = signInHarness(snapshot.config);
  const text = await makeKey(workspace, ring, await accessSecret(refresh, ring));
  const hash = await hashKey(text);
  const now = Date.now();
  const record: KeyRecord = {
    id: signInKeyId(refresh.signIn, hash),
    name: keyLabel,
    harness: harness ?? "",
    hash,
    last4: text.slice(-4),
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + accessTime * 1000).toISOString(),
    last_used_at: null,
    person: person.id,
  };
  const made = await onWorkspace(env, workspace, (stub) => stub.createSignInKey(record));
  if (made !== undefined) return { text, seconds: secondsUntil(made.expires_at, now) };
  await askDirectory(env, (directory) => directory.endProgram(refresh.signIn));
  return undefined;
}

/** Whole seconds; a key that was made before expires sooner than a new one. */
function secondsUntil(expires: string | null, now: number): number {
  return expires === null
    ? accessTime
    : Math.max(0, Math.floor((Date.parse(expires) - now) / 1000));
}

/** The keys of a sign-in that is over go at once. */
export async function endSignInKeys(
  env: Env,
  { workspace, signIn }: { workspace: string; signIn: string },
): Promise<void> {
  await onWorkspace(env, workspace, (stub) => stub.endSignInKeys(signIn));
}
