/** From a verified answer of the identity provider to a session. */
import { askDirectory } from "../admin/shared/access.ts";
import { tellAudit } from "../admin/shared/audit.ts";
import {
  membershipEvent,
  mostMembershipTries,
  revokePerson,
  welcomePerson,
} from "../admin/shared/memberships.ts";
import { type BrowserRequest, newSessionId } from "../admin/shared/session.ts";
import { newId } from "../lib/ids.ts";
import type { Env } from "../store/env.ts";
import { hashKey } from "../store/keys.ts";
import type { OidcSettings } from "../store/oidc-settings.ts";
import { isOperator } from "../store/operators.ts";
import type { Arrival, ArrivalOutcome, Preparation } from "../workspace/accounts/arrival.ts";
import type { Membership, Person } from "../workspace/accounts/scope.ts";
import type { Actor } from "../workspace/contract/audit.ts";
import { type SignInFault, SignInRefused } from "./faults.ts";
import { identityOf } from "./identity.ts";
import type { LoginState } from "./login-state.ts";
import type { Claims } from "./identity-provider.ts";

/** Somebody whom the identity provider vouches for, and how they came. */
export interface Entry {
  readonly settings: OidcSettings;
  readonly claims: Claims;
  readonly login: Pick<LoginState, "state" | "invitation">;
}

/** A session that was opened. */
export interface Entered {
  readonly person: Person;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Opens a session for them, with the memberships that they have from now on. Throws SignInRefused. */
export async function enter(browser: BrowserRequest, entry: Entry): Promise<Entered> {
  const { env } = browser;
  const { settings, login } = entry;
  const identity = identityOf(settings, entry.claims);
  const { hash, cookies, agent } = await newSessionId(browser);
  const outcome = await arrived(env, {
    identity,
    signUp: settings.signUp,
    operator: isOperator(env, identity),
    invitation: login.invitation === null ? null : await hashKey(login.invitation),
    login: await hashKey(login.state),
    ownWorkspace: newId("ws_"),
    session: { id: hash, agent },
  });
  if (outcome.kind === "refused") throw new SignInRefused(faultOf(outcome.reason));
  const { person, changes } = outcome;
  const actor = actorFor(person);
  for (const changed of changes) {
    const event = membershipEvent({ user: person.id, email: person.email, changed, actor });
    await tellAudit({ env, workspace: changed.workspace }, event);
  }
  return { person, cookies };
}

/** Tries until no workspace has to be prepared any more: the directory changes nothing before. */
async function arrived(
  env: Env,
  arrival: Omit<Arrival, "prepared">,
): Promise<Exclude<ArrivalOutcome, { kind: "prepare" }>> {
  const prepared: string[] = [];
  for (let tries = 0; tries < mostMembershipTries; tries += 1) {
    const outcome = await askDirectory(env, (directory) =>
      directory.arrive({ ...arrival, prepared }),
    );
    if (outcome.kind !== "prepare") return outcome;
    await prepare(env, outcome, arrival.identity.email);
    prepared.push(...outcome.revoke, ...outcome.welcome);
  }
  throw new Error("memberships changed under every try of a sign-in");
}

async function prepare(
  env: Env,
  { person: user, revoke, welcome }: Preparation,
  email: string,
): Promise<void> {
  const by: Actor = { type: "user", id: user, email };
  for (const workspace of revoke) await revokePerson(env, { workspace, user }, by);
  for (const workspace of welcome) await welcomePerson(env, { workspace, user }, by);
}

function faultOf(reason: Extract<ArrivalOutcome, { kind: "refused" }>["reason"]): SignInFault {
  switch (reason) {
    case "unknown":
      return "invitation";
    case "email":
      return "invitation-email";
    case "replayed":
      return "code";
    case "uninvited":
    case "nobody":
      return reason;
    default:
      return reason satisfies never;
  }
}

/** Workspaces of one person whose audit logs a sign-in is written into. */
const mostNoted = 50;

/** Writes into the audit logs of the person's workspaces that they signed in or out. */
export async function noteSession(
  env: Env,
  { person, memberships }: { person: Person; memberships: readonly Membership[] },
  action: "session.opened" | "session.ended",
): Promise<void> {
  const event = { actor: actorFor(person), action, target: person.id };
  const noted = memberships.slice(0, mostNoted);
  await Promise.all(noted.map(({ workspace }) => tellAudit({ env, workspace }, event)));
}

function actorFor({ id, email }: Person): Actor {
  return { type: "user", id, email };
}
