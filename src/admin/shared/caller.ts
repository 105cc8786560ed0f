/** As what somebody acts in which workspace. */
import { isOperator } from "../../store/operators.ts";
import type { Env } from "../../store/env.ts";
import type { Role } from "../../store/roles.ts";
import type { Membership, PersonScope } from "../../workspace/accounts/tables/scope.ts";
import { defaultWorkspace } from "../../workspace/accounts/tables/workspaces.ts";
import type { Actor } from "../../workspace/contract/audit.ts";
import { type AdminAccess, askDirectory } from "./credentials/access.ts";
import { forbidden, notFound } from "./errors.ts";

/** Who acts in a workspace. */
export interface AdminCaller {
  readonly role: Role;
  /** As the audit log names them. */
  readonly actor: Actor;
  /** The person whose own keys and usage are meant where the role reaches no further. */
  readonly person?: string;
}

/** Whose things alone the caller sees: a member's own; undefined: everybody's. Of nobody's token it is nobody's. */
export function ownOnly({ role, person }: AdminCaller): string | undefined {
  return role === "member" ? (person ?? "") : undefined;
}

/** By what the caller's feedback is told from others': the person, whatever they act through. */
export function feedbackOwner({ person, actor }: AdminCaller): string {
  return person === undefined ? `${actor.type}:${actor.id}` : `person:${person}`;
}

/** A caller with the workspace that is meant. */
export interface WorkspaceCaller {
  readonly workspace: string;
  readonly caller: AdminCaller;
}

/**
 * The workspace to act on and as what: the one that is named, else the credential's own. Throws 403 where it does not
 * reach that one, and 404 where the administrator of the deployment names one that does not exist.
 */
export async function callerIn(
  env: Env,
  access: AdminAccess,
  named: string | undefined,
): Promise<WorkspaceCaller> {
  const wanted = named === "" ? undefined : named;
  switch (access.kind) {
    case "deployment":
      return { workspace: await existing(env, wanted), caller: administrator };
    case "workspace":
      return only(access.workspace, wanted, {
        role: "owner",
        actor: { type: "workspace_token", id: "" },
      });
    case "token":
      return only(access.workspace, wanted, {
        role: access.role,
        actor: actorOf(access),
        ...(access.person !== undefined && { person: access.person.id }),
      });
    case "person": {
      const { workspace, role } = membershipFor(access, wanted);
      return { workspace, caller: { role, actor: actorOf(access), person: access.person.id } };
    }
    default:
      return access satisfies never;
  }
}

/** Whom the audit log names for this credential. */
export function actorOf(access: AdminAccess): Actor {
  switch (access.kind) {
    case "deployment":
      return { type: "root", id: "" };
    case "workspace":
      return { type: "workspace_token", id: "" };
    case "token":
      return {
        type: "token",
        id: access.id,
        ...(access.person !== undefined && { email: access.person.email }),
      };
    case "person":
      return { type: "user", id: access.person.id, email: access.person.email };
    default:
      return access satisfies never;
  }
}

/** The same where they act as somebody who runs the deployment, and not as a member of a workspace. */
export function operatorActorOf(access: AdminAccess): Actor {
  const actor = actorOf(access);
  return actor.type === "user" ? { ...actor, type: "operator" } : actor;
}

/** Whether the credential reaches what those who run the deployment see. */
export function operates(env: Env, access: AdminAccess): boolean {
  return (
    access.kind === "deployment" || (access.kind === "person" && isOperator(env, access.person))
  );
}

const administrator: AdminCaller = { role: "root", actor: { type: "root", id: "" } };

function only(workspace: string, wanted: string | undefined, caller: AdminCaller): WorkspaceCaller {
  if (wanted !== undefined && wanted !== workspace) throw forbidden();
  return { workspace, caller };
}

async function existing(env: Env, wanted: string | undefined): Promise<string> {
  if (wanted === undefined || wanted === defaultWorkspace) return defaultWorkspace;
  const found = await askDirectory(env, (directory) => directory.find(wanted));
  if (found === undefined) throw notFound(`There is no workspace ${JSON.stringify(wanted)}`);
  return found.id;
}

function membershipFor(
  { memberships, chosen }: PersonScope,
  wanted: string | undefined,
): Membership {
  const isIn = (workspace: string | undefined): Membership | undefined =>
    memberships.find((membership) => membership.workspace === workspace);
  const found = wanted === undefined ? (isIn(chosen) ?? memberships[0]) : isIn(wanted);
  // Whether a workspace of that name exists is nobody's business who does not belong to it.
  if (found === undefined) throw forbidden();
  return found;
}
