/** Whose an administrator's token is. A text that is certainly none costs no call. */
import { provenAdminToken } from "../../../store/admin-tokens.ts";
import type { Env } from "../../../store/env.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { hashKey } from "../../../store/keys.ts";
import { Memory } from "../../../workspace/memory.ts";
import { type AdminAccess, askDirectory, settingHash } from "./access.ts";
import { type Bringer, countWrongToken, lookedUpWithTries, type LookUp } from "./wrong-tokens.ts";

/** What became of a token: its access, or whole seconds to wait (0: none yet). */
export type JudgedToken = LookUp<AdminAccess>;

/**
 * Judges a token that is not empty. Only hashes are compared, so timing reveals nothing. The setting and tokens that
 * prove to be made here are looked up at once, however many wrong ones came before; tokens of the version before
 * only while their address has tries left, or where this isolate knows them to be good.
 */
export async function judgeToken(env: Env, token: string, bringer: Bringer): Promise<JudgedToken> {
  const proof = { given: await hashKey(token), setting: await settingHash(env) };
  if (proof.given === (await hostHash(env))) return { found: { kind: "deployment" } };
  const lookUp = () => accessOf(env, proof);
  const proven =
    proof.given === proof.setting
      ? "proven"
      : await provenAdminToken(token, await keyringOf(env.ENCRYPTION_KEY));
  if (proven === "unproven" && !good.get(proof.given)) {
    return await lookedUpWithTries(bringer, lookUp);
  }
  const found = proven === "forged" || proven === "foreign" ? undefined : await lookUp();
  return found === undefined ? { found, wait: countWrongToken(bringer) } : { found };
}

/** Milliseconds for which a token that was nobody's is not looked up again. */
const refusedFor = 60_000;
/** Hashes of tokens that were right in this isolate. */
const good = new Memory<boolean>(1000);
/** Hashes of tokens that were replaced or revoked, and epoch ms until which that is remembered. */
const refusedUntil = new Memory<number>(1000);

interface HashedToken {
  readonly given: string;
  readonly setting: string | null;
}

async function accessOf(env: Env, proof: HashedToken): Promise<AdminAccess | undefined> {
  const { given } = proof;
  if ((refusedUntil.get(given) ?? 0) > Date.now()) return undefined;
  const access = await askDirectory(env, (directory) => directory.scopeOf(proof));
  if (access === undefined) refusedUntil.set(given, Date.now() + refusedFor);
  good.set(given, access !== undefined);
  return access;
}

/** Hash of what the launcher of this process signs in with; undefined where there is no launcher. */
async function hostHash({ HOST_TOKEN }: Pick<Env, "HOST_TOKEN">): Promise<string | undefined> {
  return HOST_TOKEN === undefined || HOST_TOKEN === "" ? undefined : await hashKey(HOST_TOKEN);
}
