/** What an invitation's link offers: shown before anybody joins by it. */
import type { MemberRole } from "../../store/roles.ts";
import { findInvitation, type InvitationFault } from "./tables/invitations.ts";
import { membershipsOf } from "./tables/memberships.ts";
import { findUser, type Identity } from "./tables/users.ts";
import { findWorkspace } from "./tables/workspaces.ts";

/** Who opened which link. */
export interface OfferAsked {
  /** Of the text in the link. */
  hash: string;
  identity: Pick<Identity, "issuer" | "subject" | "email">;
}

/** An invitation, as its person sees it before they join. */
export interface InvitationOffer {
  /** The workspace's name. */
  name: string;
  role: MemberRole;
  /** E-mail address of who invites; null: an administrator without one. */
  inviter: string | null;
  /** Whether they belong to a workspace already, and could take this one for theirs. */
  belongsElsewhere: boolean;
}

/** The offer, or why they cannot use the invitation. */
export function offerOf(
  sql: SqlStorage,
  { hash, identity }: OfferAsked,
  now: number,
): InvitationOffer | InvitationFault {
  const user = findUser(sql, identity)?.id ?? null;
  const found = findInvitation(sql, { hash, email: identity.email, user, now });
  if (typeof found === "string") return found;
  const name = findWorkspace(sql, found.workspace)?.name;
  if (name === undefined) return "unknown";
  const { inviter } = sql.exec("SELECT inviter FROM invitations WHERE id = ?", found.id).one();
  return {
    name,
    role: found.role,
    inviter: typeof inviter === "string" ? inviter : null,
    belongsElsewhere: user !== null && membershipsOf(sql, user).length > 0,
  };
}
