/** `POST /oauth/token`: an access token for a code that was confirmed, or for a refresh token. */
import { askDirectory } from "../../admin/shared/credentials/access.ts";
import { tellAudit } from "../../admin/shared/audit.ts";
import { boundedBytes } from "../../admin/shared/request-body.ts";
import type { WaitUntil } from "../../gateway/services.ts";
import type { Env } from "../../store/env.ts";
import { type Keyring, keyringOf } from "../../store/keyring.ts";
import { hashKey } from "../../store/keys.ts";
import { oidcOf } from "../../store/oidc-settings.ts";
import { endSignInKeys, makeAccessKey, type ProgramSignIn } from "./access-key.ts";
import { deviceAnswer, deviceRefusal } from "./answers.ts";
import {
  firstRefreshToken,
  isDeviceCode,
  readRefreshToken,
  type RefreshToken,
  successorOf,
} from "./secret-texts.ts";
import { countQuestion } from "./throttle.ts";

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** Bytes of a form: its longest field is a token of a hundred characters. */
const longestForm = 16 * 1024;

/** The grants that `POST /oauth/token` takes. */
export const grantTypes = [deviceGrant, "refresh_token"] as const;

/** Answers with a pair of tokens, or with an error of OAuth. */
export async function grantToken(
  request: Request,
  { env, waitUntil }: { env: Env; waitUntil: WaitUntil },
): Promise<Response> {
  const form = await formFields(request);
  if (form === undefined) return deviceRefusal("invalid_request");
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const grant = form.get("grant_type");
  if (grant !== deviceGrant && grant !== "refresh_token")
    return deviceRefusal("unsupported_grant_type");
  const given = form.get(grant === deviceGrant ? "device_code" : "refresh_token") ?? "";
  if (given === "") return deviceRefusal("invalid_request");
  const asked: Asked = { env, ring, given, waitUntil };
  return await (grant === deviceGrant ? redeemed(asked) : refreshed(asked));
}

/** The fields of a form; undefined when the body is none. */
export async function formFields(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  return new URLSearchParams(new TextDecoder().decode(await boundedBytes(request, longestForm)));
}

interface Asked {
  readonly env: Env;
  readonly ring: Keyring;
  /** The code or token. */
  readonly given: string;
  readonly waitUntil: WaitUntil;
}

async function redeemed({ env, ring, given, waitUntil }: Asked): Promise<Response> {
  if (!(await isDeviceCode(given, ring))) return deviceRefusal("expired_token");
  const wait = countQuestion(given, Date.now());
  if (wait > 0) return deviceRefusal("slow_down", { retryAfter: wait });
  const refresh = await firstRefreshToken(ring);
  const hashes = { device: await hashKey(given), refresh: await hashKey(refresh.text) };
  const answer = await askDirectory(env, (directory) =>
    directory.redeemDevice({ ...hashes, signIn: refresh.signIn, issuer: issuerOf(env) }),
  );
  switch (answer.kind) {
    case "approved":
      noteSignIn({ env, waitUntil }, answer, refresh.signIn);
      return await tokenAnswer(answer, refresh, { env, ring });
    case "pending":
      return deviceRefusal("authorization_pending");
    case "slow_down":
      return deviceRefusal("slow_down");
    case "denied":
      return deviceRefusal("access_denied");
    case "expired":
      return deviceRefusal("expired_token");
    default:
      return answer satisfies never;
  }
}

/** Programs stand in the audit log beside the sessions of browsers. Nobody waits for it. */
function noteSignIn(
  { env, waitUntil }: Pick<Asked, "env" | "waitUntil">,
  { person, workspace }: Pick<ProgramSignIn, "person" | "workspace">,
  signIn: string,
): void {
  const actor = { type: "user", id: person.id, email: person.email } as const;
  const event = { actor, action: "session.opened", target: signIn, after: { program: true } };
  const written = tellAudit({ env, workspace }, event).catch((error: unknown) =>
    console.error("a sign-in could not be written into the audit log:", String(error)),
  );
  waitUntil(written);
}

async function refreshed({ env, ring, given }: Asked): Promise<Response> {
  const token = await readRefreshToken(given, ring);
  if (token === undefined) return deviceRefusal("invalid_grant");
  const wait = countQuestion(token.signIn, Date.now());
  if (wait > 0) return deviceRefusal("slow_down", { retryAfter: wait });
  const next = await successorOf(token, ring);
  const hashes = { given: await hashKey(token.text), successor: await hashKey(next.text) };
  const answer = await askDirectory(env, (directory) =>
    directory.refreshProgram({ id: token.signIn, ...hashes, issuer: issuerOf(env) }),
  );
  if (answer.kind === "rotated") return await tokenAnswer(answer, next, { env, ring });
  if (answer.kind === "ended")
    await endSignInKeys(env, { workspace: answer.workspace, signIn: token.signIn });
  return deviceRefusal("invalid_grant");
}

/** As people's records name it. */
function issuerOf(env: Env): string | null {
  return oidcOf(env)?.issuer.href ?? null;
}

async function tokenAnswer(
  { person, workspace }: Pick<ProgramSignIn, "person" | "workspace">,
  refresh: RefreshToken,
  { env, ring }: Pick<Asked, "env" | "ring">,
): Promise<Response> {
  const key = await makeAccessKey(env, { person, workspace, refresh }, ring);
  if (key === undefined) return deviceRefusal("invalid_grant");
  return deviceAnswer({
    access_token: key.text,
    token_type: "Bearer",
    expires_in: key.seconds,
    refresh_token: refresh.text,
    email: person.email,
  });
}
