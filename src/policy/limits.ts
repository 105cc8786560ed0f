/** The limits that a variant has besides budgets and quotas. */

/** At most `limit` requests in any `span` milliseconds. */
export interface RateLimit {
  readonly limit: number;
  readonly span: number;
}

/** The window that counts a workspace's requests: one for all of them, or one for each key holder. */
export interface RequestWindow extends RateLimit {
  readonly scope: "workspace" | "harness";
}

/** Null: there is no such limit. */
export interface Limits {
  readonly window: RequestWindow | null;
  /** Requests of a workspace that may be in flight. */
  readonly slots: number | null;
  /** Requests of one client address, whatever their keys. */
  readonly address: RateLimit | null;
  /** Whether models that fail are tried last for a while. */
  readonly coolsDown: boolean;
}

/** One minute in milliseconds. */
export const minute = 60_000;

/** The limits of the benchmark build: none. */
export const noLimits: Limits = { window: null, slots: null, address: null, coolsDown: false };
