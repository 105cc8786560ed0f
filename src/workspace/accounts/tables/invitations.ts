/** The table of invitations: each is for one person, ends by itself, and is kept as a hash only. */
import type { MemberRole } from "../../../store/roles.ts";
import { countMembers, roleNamed } from "./memberships.ts";

/** An invitation that nobody has used. Times are epoch ms. */
export interface InvitationRecord {
  /** `inv_…`. */
  id: string;
  workspace: string;
  role: MemberRole;
  /** In lower case: only somebody with this verified address may use it; null: whoever has its link. */
  email: string | null;
  created: number;
  expires: number;
}

/** An invitation to be made. */
export interface NewInvitation extends InvitationRecord {
  /** Of the text in its link. */
  hash: string;
  /** E-mail address of who invites; null: an administrator without one. */
  inviter: string | null;
  /** How many people the workspace may have, open invitations included; null: any number. */
  most: number | null;
}

/**
 * Why an invitation cannot be used. `unknown`: there is none, or it ended; `email`: it is for another address; `full`: the
 * workspace has as many people as it may have.
 */
export type InvitationFault = "unknown" | "email" | "full";

const columns = "id, workspace, role, email, created, expires";

/** False: the workspace has as many people as it may have. Forgets invitations that ended. */
export function insertInvitation(sql: SqlStorage, invitation: NewInvitation): boolean {
  const { id, hash, workspace, role, email, inviter, created, expires, most } = invitation;
  sql.exec("DELETE FROM invitations WHERE expires < ?", created);
  const people = countMembers(sql, workspace) + openInvitations(sql, workspace, created).length;
  if (most !== null && people >= most) return false;
  sql.exec(
    `INSERT OR IGNORE INTO invitations (id, hash, workspace, role, email, inviter, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    hash,
    workspace,
    role,
    email,
    inviter,
    created,
    expires,
  );
  return true;
}

/** The workspace's invitations that can be used, oldest first. */
export function openInvitations(
  sql: SqlStorage,
  workspace: string,
  now: number,
): InvitationRecord[] {
  const query = `SELECT ${columns} FROM invitations WHERE workspace = ? AND user IS NULL AND expires >= ? ORDER BY created, id`;
  return sql.exec(query, workspace, now).toArray().map(invitationOf);
}

/** What can be used by whoever has this verified address, oldest first. */
export function invitationsFor(sql: SqlStorage, email: string, now: number): InvitationRecord[] {
  const query = `SELECT ${columns} FROM invitations WHERE email = ? AND user IS NULL AND expires >= ? ORDER BY created, id`;
  return sql.exec(query, email, now).toArray().map(invitationOf);
}

/** The invitation of a link; one that this very user has used already counts, because people open links twice. */
export function findInvitation(
  sql: SqlStorage,
  { hash, email, user, now }: { hash: string; email: string; user: string | null; now: number },
): InvitationRecord | InvitationFault {
  const query = `SELECT ${columns}, user FROM invitations WHERE hash = ? AND expires >= ?`;
  const [row] = sql.exec(query, hash, now).toArray();
  if (row === undefined) return "unknown";
  if (row["user"] !== null && row["user"] !== user) return "unknown";
  const found = invitationOf(row);
  return found.email !== null && found.email !== email ? "email" : found;
}

/** From now on nobody else can use it. */
export function useInvitation(sql: SqlStorage, id: string, user: string): void {
  sql.exec("UPDATE invitations SET user = ? WHERE id = ?", user, id);
}

/** The invitation that is gone now; undefined when the workspace had no open one of that id. */
export function removeInvitation(
  sql: SqlStorage,
  workspace: string,
  id: string,
): InvitationRecord | undefined {
  const query = `DELETE FROM invitations WHERE workspace = ? AND id = ? AND user IS NULL RETURNING ${columns}`;
  return sql.exec(query, workspace, id).toArray().map(invitationOf)[0];
}

function invitationOf(row: Record<string, SqlStorageValue>): InvitationRecord {
  const { email } = row;
  return {
    id: String(row["id"]),
    workspace: String(row["workspace"]),
    role: roleNamed(row["role"]) ?? "viewer",
    email: typeof email === "string" ? email : null,
    created: Number(row["created"]),
    expires: Number(row["expires"]),
  };
}
