/** Who changed what in a workspace, as its object keeps it and administrators read it. */
import type { Config } from "../../store/config.ts";

/** What can act. */
export const actorTypes = [
  "root",
  "workspace_token",
  "user",
  "token",
  "operator",
  "billing",
  "system",
] as const;

/** Who did something: the deployment's administrator, the workspace's own token, a person, a token of theirs, … */
export interface Actor {
  type: (typeof actorTypes)[number];
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

/** An event as it is kept. */
export interface LoggedEvent extends AuditEvent {
  /** Its place in the log: 1 for the first, without gaps. */
  seq: number;
  id: string;
  /** ISO 8601 UTC; never before that of the event before. */
  time: string;
  /** Of this event and the hash before it: see `rules/audit/audit-chain.ts`. */
  hash: string;
}

/** Which events are asked for. */
export interface AuditFilter {
  limit: number;
  /** Only events before this place. */
  before?: number;
  /** An actor's id, e-mail address or type. */
  actor?: string;
  /** An action, or the part before its dot. */
  action?: string;
  /** Epoch ms, inclusive. */
  from?: number;
  /** Epoch ms, exclusive. */
  to?: number;
}

/** Events, newest first: as many as were asked for and fit into one answer. */
export interface AuditPage {
  events: LoggedEvent[];
  /** For `before`; null at the end. */
  next: number | null;
}

/** One difference between two documents. */
export interface DocumentChange {
  /** Entries of lists by their ids: `providers.lab.base_url`. */
  path: string;
  /** Missing where there was nothing; secrets are masked. */
  before?: unknown;
  /** Missing after a deletion; secrets are masked. */
  after?: unknown;
}

/** What differs between two documents. */
export interface DocumentChanges {
  changes: DocumentChange[];
  /** Further ones, that are not listed. */
  more: number;
}

/** Ways in which the document is changed. */
export const changeWays = [
  "api",
  "dashboard",
  "import",
  "restore",
  "undo",
  // Came with a backup, and what was there before it.
  "backup",
  "before-backup",
] as const;

/** How the document was changed. */
export type ChangeWay = (typeof changeWays)[number];

/** A document to put in force, unless it changed since that generation. */
export interface NextDocument {
  config: Config;
  generation: number;
  way: ChangeWay;
  /** The version that is put back, if one is. */
  restored?: number;
}

/** A key as a change of the document describes it. */
export interface NamedKey {
  id: string;
  name: string;
  harness: string;
  last4: string;
}

/** What a change of the document means for keys. */
export interface KeysTouched {
  /** They stop working. */
  stopping: NamedKey[];
  /** They work again. */
  returning: NamedKey[];
}

/** A version of the document, as it is listed. */
export interface DocumentVersion extends DocumentChanges {
  /** The document's generation when it was put in force. */
  n: number;
  /** ISO 8601 UTC. */
  time: string;
  actor: Actor;
  /** Missing: made by the gateway itself, or by the version before, which did not say. */
  way?: ChangeWay;
  /** The version that was put back, if one was. */
  restored?: number;
}
