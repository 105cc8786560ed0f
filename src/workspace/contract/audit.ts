/** Who changed what in a workspace, as its object keeps it and administrators read it. */

/** Who did something: the deployment's administrator, the workspace's own token, a person, a token of theirs, … */
export interface Actor {
  type: "root" | "workspace_token" | "user" | "token" | "operator" | "billing" | "system";
  /** The person's or the token's id; empty for the first two. */
  id: string;
  email?: string;
}

/** Something that was done. */
export interface AuditEvent {
  actor: Actor;
  /** `key.created`: what was acted on, and what happened to it. */
  action: string;
  /** What was acted on, by its id. */
  target: string;
  /** As it was and as it is now, as far as that says something; secrets are masked. */
  before?: unknown;
  after?: unknown;
}
