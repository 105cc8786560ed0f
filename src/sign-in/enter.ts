/** From a verified answer of the identity provider to a session. */
import { askDirectory } from "../admin/shared/credentials/access.ts";
import { tellAudit } from "../admin/shared/audit.ts";
import {
  membershipEvent,
  mostMembershipTries,
  revokePerson,
  welcomePerson,
} from "../admin/shared/membership/memberships.ts";
import { firstPlanOf, tellPlan } from "../admin/shared/membership/make-workspace.ts";
import { type BrowserRequest, newSessionId } from "../admin/shared/credentials/session.ts";
import { newId } from "../lib/ids.ts";
import type { Env } from "../store/env.ts";
import { workspaceIdPrefix } from "../store/jurisdiction.ts";
import { hashKey } from "../store/keys.ts";
import type { OidcSettings } from "../store/oidc-settings.ts";
import { isOperator } from "../store/operators.ts";
import type { MembershipChange } from "../workspace/accounts/group-changes.ts";
import type { Arrival, ArrivalOutcome, Preparation } from "../workspace/accounts/arrival.ts";
import type { Person } from "../workspace/accounts/tables/scope.ts";
import type { Identity } from "../workspace/accounts/tables/users.ts";
import type { Actor } from "../workspace/contract/audit.ts";
import { invitationFault, type SignInFault, SignInRefused } from "./faults.ts";
import type { LoginState } from "./login-state.ts";

/** Somebody whom the identity provider vouches for, and how they came. */
export interface Entry {
  readonly settings: OidcSettings;
  readonly identity: Identity;
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
  const { settings, identity, login } = entry;
  const { hash, cookies, agent } = await newSessionId(browser);
  const outcome = await arrived(env, {
    identity,
    signUp: settings.signUp,
    operator: isOperator(env, identity),
    invitation: login.invitation === null ? null : await hashKey(login.invitation),
    login: await hashKey(login.state),
    ownWorkspace: newId(workspaceIdPrefix(null)),
    ownPlan: firstPlanOf(env),
    session: { id: hash, agent },
  });
  if (outcome.kind === "refused") throw new SignInRefused(faultOf(outcome.reason));
  const { person, changes } = outcome;
  for (const changed of changes) await tellChange(env, person, changed);
  return { person, cookies };
}

/** In the audit log of the workspace, which begins with that where it is a new one. */
async function tellChange(env: Env, person: Person, changed: MembershipChange): Promise<void> {
  const { workspace } = changed;
  const actor = actorFor(person);
  const { id: user, email } = person;
  if (changed.by === "sign-up")
    await tellAudit({ env, workspace }, { actor, action: "workspace.created", target: workspace });
  await tellAudit({ env, workspace }, membershipEvent({ user, email, changed, actor }));
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
    await prepare(env, outcome, arrival);
    prepared.push(...outcome.revoke, ...outcome.welcome);
    if (outcome.needsWorkspace) prepared.push(arrival.ownWorkspace);
  }
  throw new Error("memberships changed under every try of a sign-in");
}

async function prepare(
  env: Env,
  { person: user, revoke, welcome, needsWorkspace }: Preparation,
  { identity: { email }, ownWorkspace, ownPlan }: Omit<Arrival, "prepared">,
): Promise<void> {
  const by: Actor = { type: "user", id: user, email };
  if (needsWorkspace) await tellPlan(env, { id: ownWorkspace, plan: ownPlan, plan_change: 0 }, by);
  for (const workspace of revoke) await revokePerson(env, { workspace, user }, by);
  for (const workspace of welcome) await welcomePerson(env, { workspace, user }, by);
}

function faultOf(reason: Extract<ArrivalOutcome, { kind: "refused" }>["reason"]): SignInFault {
  switch (reason) {
    case "unknown":
    case "email":
    case "full":
      return invitationFault(reason);
    case "replayed":
      return "code";
    case "uninvited":
    case "nobody":
      return reason;
    default:
      return reason satisfies never;
  }
}

function actorFor({ id, email }: Person): Actor {
  return { type: "user", id, email };
}
