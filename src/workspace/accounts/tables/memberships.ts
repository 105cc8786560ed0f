/**
 * The table of memberships. A member has a role of their own (by invitation, by sign-up, by an owner's
 * word), one that their groups give them, or both; the stronger one counts.
 */
import { type MemberRole, memberRoles, strongestRole } from "../../../store/roles.ts";
import { dropDeviceGrants } from "./device-grants.ts";
import { endProgramSignIns } from "./program-sign-ins.ts";
import type { Membership } from "./scope.ts";

/** A member of a workspace, as its owners see them. Times are epoch ms. */
export interface MemberRecord {
  /** The user's id. */
  id: string;
  /** As the identity provider names them. */
  subject: string;
  email: string;
  name: string;
  role: MemberRole;
  /** Missing: the groups give no role. */
  grouped?: MemberRole;
  joined: number;
  seen: number;
}

/** One person in one workspace. */
export interface MemberName {
  workspace: string;
  user: string;
}

/** Why a membership was not changed. `last-owner`: the workspace would be without one; `groups`: the groups give a stronger role. */
export type MemberRefusal = "unknown" | "last-owner" | "groups";

/** A member who has begun to leave is counted as no owner for so long, ms; then the attempt is over. */
const leavingTime = 60_000;

/** What a member is by invitation or by an owner's word, and what their groups make them. */
export interface MemberRoles {
  own?: MemberRole;
  grouped?: MemberRole;
}

/** The workspaces of a user, in the order in which they joined. */
export function membershipsOf(sql: SqlStorage, user: string): Membership[] {
  const rows = sql.exec(
    `SELECT m.workspace, m.own, m.grouped, w.name FROM memberships m JOIN workspaces w ON w.id = m.workspace
     WHERE m.user = ? ORDER BY m.joined, m.workspace`,
    user,
  );
  return Array.from(rows, (row) => ({
    workspace: String(row["workspace"]),
    name: String(row["name"]),
    role: effective(rolesOf(row)),
  }));
}

/** The roles of one member; undefined when they are none. */
export function memberRolesOf(sql: SqlStorage, member: MemberName): MemberRoles | undefined {
  const query = "SELECT own, grouped FROM memberships WHERE workspace = ? AND user = ?";
  return sql.exec(query, member.workspace, member.user).toArray().map(rolesOf)[0];
}

/** The role that counts; undefined when they are no member. */
export function roleOf(sql: SqlStorage, member: MemberName): MemberRole | undefined {
  const roles = memberRolesOf(sql, member);
  return roles && effective(roles);
}

/** Everybody in the workspace, in the order in which they joined; those alone whose id is named, where one is. */
export function readMembers(sql: SqlStorage, workspace: string, user?: string): MemberRecord[] {
  const rows = sql.exec(
    `SELECT u.id, u.subject, u.email, u.name, u.seen, m.own, m.grouped, m.joined FROM memberships m JOIN users u ON u.id = m.user
     WHERE m.workspace = ? AND (? IS NULL OR m.user = ?) ORDER BY m.joined, u.id`,
    workspace,
    user ?? null,
    user ?? null,
  );
  return Array.from(rows, (row) => {
    const roles = rolesOf(row);
    return {
      id: String(row["id"]),
      subject: String(row["subject"]),
      email: String(row["email"]),
      name: String(row["name"]),
      role: effective(roles),
      ...(roles.grouped !== undefined && { grouped: roles.grouped }),
      joined: Number(row["joined"]),
      seen: Number(row["seen"]),
    };
  });
}

/** How many people belong to the workspace. */
export function countMembers(sql: SqlStorage, workspace: string): number {
  const query = "SELECT COUNT(*) AS members FROM memberships WHERE workspace = ?";
  return Number(sql.exec(query, workspace).one()["members"]);
}

/** Writes the roles; without any the membership is gone. */
export function writeRoles(
  sql: SqlStorage,
  { workspace, user }: MemberName,
  { own, grouped, now }: MemberRoles & { now: number },
): void {
  if (own === undefined && grouped === undefined) {
    sql.exec("DELETE FROM memberships WHERE workspace = ? AND user = ?", workspace, user);
    return;
  }
  sql.exec(
    `INSERT INTO memberships (workspace, user, own, grouped, joined) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (workspace, user) DO UPDATE SET own = excluded.own, grouped = excluded.grouped`,
    workspace,
    user,
    own ?? null,
    grouped ?? null,
    now,
  );
}

/** Somebody to be added, who signed in before. */
export interface NewMember extends MemberName {
  role: MemberRole;
  /** How many people the workspace may have; null: any number. */
  most: number | null;
}

/** `unknown`: there is no such user. `full`: the workspace has as many people as it may have. */
export type AddedMember = { member: MemberRecord; before?: MemberRole } | "unknown" | "full";

/** The user belongs to the workspace from now on, at least as what is said. */
export function joinMember(
  sql: SqlStorage,
  { workspace, user, role, most }: NewMember,
  now: number,
): AddedMember {
  const roles = memberRolesOf(sql, { workspace, user });
  if (roles === undefined && most !== null && countMembers(sql, workspace) >= most) return "full";
  const own = strongestRole([role, roles?.own]);
  writeRoles(sql, { workspace, user }, { ...roles, ...(own && { own }), now });
  const [member] = readMembers(sql, workspace, user);
  if (member === undefined) return "unknown";
  return { member, ...(roles && { before: effective(roles) }) };
}

/** An owner's word about a member; what they were before, or why nothing changed. */
export function changeRole(
  sql: SqlStorage,
  member: MemberName,
  { role, now }: { role: MemberRole; now: number },
): { before: MemberRole } | { refused: MemberRefusal } {
  const roles = memberRolesOf(sql, member);
  if (roles === undefined) return { refused: "unknown" };
  const before = effective(roles);
  if (strongestRole([role, roles.grouped]) !== role) return { refused: "groups" };
  if (role !== "owner" && isLastOwner(sql, member, now)) return { refused: "last-owner" };
  writeRoles(sql, member, { ...roles, own: role, now });
  return { before };
}

/**
 * The member begins to leave: from now on they are counted as no owner, so that of two owners who leave at the same
 * moment one is refused. What they can do ends with `endMembership`.
 */
export function beginLeaving(
  sql: SqlStorage,
  member: MemberName,
  now: number,
): MemberRefusal | undefined {
  if (memberRolesOf(sql, member) === undefined) return "unknown";
  if (isLastOwner(sql, member, now)) return "last-owner";
  const { workspace, user } = member;
  sql.exec(
    "UPDATE memberships SET leaving = ? WHERE workspace = ? AND user = ?",
    now,
    workspace,
    user,
  );
  return undefined;
}

/** The member is gone, with their tokens of the workspace, the programs they signed in, and their sessions' choice of it. */
export function endMembership(sql: SqlStorage, { workspace, user }: MemberName): void {
  endProgramSignIns(sql, { person: user, workspace });
  dropDeviceGrants(sql, { person: user, workspace });
  sql.exec("DELETE FROM memberships WHERE workspace = ? AND user = ?", workspace, user);
  sql.exec("DELETE FROM access_tokens WHERE workspace = ? AND user = ?", workspace, user);
  sql.exec("UPDATE sessions SET chosen = NULL WHERE user = ? AND chosen = ?", user, workspace);
}

/** Whether nobody else owns the workspace. */
function isLastOwner(sql: SqlStorage, { workspace, user }: MemberName, now: number): boolean {
  const owners = sql
    .exec(
      `SELECT user FROM memberships WHERE workspace = ? AND (own = 'owner' OR grouped = 'owner')
       AND (user = ? OR leaving IS NULL OR leaving < ?)`,
      workspace,
      user,
      now - leavingTime,
    )
    .toArray();
  return owners.length === 1 && owners[0]?.["user"] === user;
}

function effective({ own, grouped }: MemberRoles): MemberRole {
  // A row has at least one of them.
  return strongestRole([own, grouped]) ?? "viewer";
}

function rolesOf(row: Record<string, SqlStorageValue>): MemberRoles {
  const own = roleNamed(row["own"]);
  const grouped = roleNamed(row["grouped"]);
  return { ...(own !== undefined && { own }), ...(grouped !== undefined && { grouped }) };
}

/** The role of that name. */
export function roleNamed(name: unknown): MemberRole | undefined {
  return memberRoles.find((role) => role === name);
}
