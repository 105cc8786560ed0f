/** Roles of members, as pages show and offer them. */
import type { MemberRole } from "../../store/roles.ts";
import { Badge } from "./display.tsx";

/** What each role may do, strongest first. */
export const roleOptions: readonly { value: MemberRole; label: string }[] = [
  { value: "owner", label: "Owner: everything" },
  { value: "member", label: "Member: own keys and usage" },
  { value: "viewer", label: "Viewer: read only" },
];

/** A role as a label. */
export function RoleBadge({ role }: { role: MemberRole }) {
  return <Badge tone={role === "owner" ? "accent" : "plain"}>{role}</Badge>;
}
