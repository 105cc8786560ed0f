/** People of the matrix: signed in, with roles and access tokens, also such that have ended. */
import { newId } from "../../../src/lib/ids.ts";
import { makeAdminToken, makeSessionId } from "../../../src/store/admin-tokens.ts";
import { keyringOf } from "../../../src/store/keyring.ts";
import { hashKey } from "../../../src/store/keys.ts";
import type { MemberRole } from "../../../src/store/roles.ts";
import type { ArrivalOutcome } from "../../../src/workspace/accounts/arrival.ts";
import { directoryStub } from "../../../src/workspace/remote.ts";
import { gatewayEnv } from "./gateway.ts";
import type { Place } from "./places.ts";

/** Somebody with a session. */
export interface Someone {
  /** `usr_…`. */
  readonly user: string;
  readonly email: string;
  /** The text of the session's id. */
  readonly session: string;
}

const hour = 3_600_000;

function directory() {
  return directoryStub(gatewayEnv);
}

async function ring() {
  return await keyringOf(gatewayEnv.ENCRYPTION_KEY);
}

/** Somebody who came by an invitation to the workspace; without one, somebody who belongs nowhere. */
export async function arrived(
  email: string,
  invited?: { readonly place: Place; readonly role: MemberRole },
): Promise<Someone> {
  const session = await makeSessionId(await ring());
  const invitation = invited === undefined ? null : await invitationTo(invited);
  const arrival = {
    identity: {
      issuer: new URL(gatewayEnv.OIDC_ISSUER).href,
      subject: `sub-${email}`,
      email,
      name: `Name of ${email}`,
      groups: [],
    },
    signUp: "invited" as const,
    operator: invited === undefined,
    invitation,
    ownWorkspace: "",
    ownPlan: null,
    login: await hashKey(newId("login_")),
    session: { id: await hashKey(session), agent: "Test browser" },
  };
  let outcome: ArrivalOutcome = await directory().arrive({ ...arrival, prepared: [] });
  if (outcome.kind === "prepare") {
    const { revoke, welcome } = outcome;
    outcome = await directory().arrive({ ...arrival, prepared: [...revoke, ...welcome] });
  }
  if (outcome.kind !== "entered") throw new Error(JSON.stringify(outcome));
  return { user: outcome.person.id, email, session };
}

/** The hash of the text of a new invitation's link. */
async function invitationTo({ place, role }: { place: Place; role: MemberRole }): Promise<string> {
  const id = newId("inv_");
  const hash = await hashKey(id);
  const now = Date.now();
  const times = { created: now, expires: now + hour };
  const made = {
    id,
    hash,
    workspace: place.id,
    role,
    email: null,
    inviter: null,
    most: null,
    ...times,
  };
  if (!(await directory().invite(made))) throw new Error("the workspace is full");
  return hash;
}

/** A new access token of that role. `ended`: it has expired. */
export async function accessToken(
  place: Place,
  role: MemberRole,
  { of, ended = false }: { readonly of?: Someone; readonly ended?: boolean } = {},
): Promise<{ readonly id: string; readonly text: string }> {
  const text = await makeAdminToken(await ring());
  const id = newId("tok_");
  const created = Date.now() - 2 * hour;
  await directory().createToken({
    id,
    hash: await hashKey(text),
    workspace: place.id,
    role,
    user: of?.user ?? null,
    name: `Token ${place.canary}`,
    last4: text.slice(-4),
    created,
    expires: ended ? created + hour : null,
  });
  return { id, text };
}

/** The id of a session of theirs, as the admin API names it. */
export async function sessionOf({ user }: Someone): Promise<string> {
  const [newest] = await directory().sessions({ kind: "person", person: user });
  return newest?.handle ?? "";
}

/** Takes an access token back. */
export async function revokeToken(place: Place, id: string): Promise<void> {
  await directory().deleteToken({ workspace: place.id }, id);
}

/** They are no member any more. */
export async function leave(place: Place, { user }: Someone): Promise<void> {
  const member = { workspace: place.id, user };
  const refusal = await directory().beginLeaving(member);
  if (refusal !== undefined) throw new Error(refusal);
  await directory().endMembership(member);
}
