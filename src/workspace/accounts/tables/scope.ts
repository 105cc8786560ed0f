/** Whose a credential is, and what it reaches. */
import type { MemberRole } from "../../../store/roles.ts";

/** A person who signed in with the identity provider. */
export interface Person {
  /** `usr_…`. */
  id: string;
  /** As the identity provider names them. */
  subject: string;
  /** Verified, in lower case. */
  email: string;
  name: string;
}

/** A workspace that a person belongs to. */
export interface Membership {
  workspace: string;
  /** The workspace's name. */
  name: string;
  role: MemberRole;
}

/** A signed-in person, who may belong to no workspace yet. */
export interface PersonScope {
  kind: "person";
  person: Person;
  /** In the order in which they joined. */
  memberships: Membership[];
  /** The workspace that the session shows; missing: the first. */
  chosen?: string;
}

/** A token for the admin API that an owner or a person made. */
export interface TokenScope {
  kind: "token";
  /** `tok_…`. */
  id: string;
  workspace: string;
  role: MemberRole;
  /** The person that it belongs to; missing: none. */
  person?: Person;
}

/** What a credential reaches: the whole deployment, one workspace, a person's workspaces, or what a token says. */
export type Scope =
  | { kind: "deployment" }
  | { kind: "workspace"; workspace: string }
  | PersonScope
  | TokenScope;

/** Credentials that are a setting's or a workspace's own, not a person's. */
export type PlainScope = Extract<Scope, { kind: "deployment" | "workspace" }>;
