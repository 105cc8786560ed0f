/** Roles of members, as pages show and offer them. */
import { type MemberRole, memberRoles } from "../../store/roles.ts";
import { field, fieldProblem } from "../shared/forms.ts";
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

/** The role that a form names; throws where it names none. */
export function roleFrom(form: URLSearchParams): MemberRole {
  const role = memberRoles.find((name) => name === field(form, "role"));
  if (role === undefined) throw fieldProblem("role", "choose a role");
  return role;
}
