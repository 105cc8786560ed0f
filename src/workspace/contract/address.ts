/** How a client address is counted. */

/**
 * In which of its address's two windows a caller is counted. `keyed`: the key proves by its check that it was made
 * here, and nothing is known against it. Everybody else is a stranger, and strangers cannot fill the window of keys.
 */
export type Standing = "keyed" | "stranger";

/** Who is counted. */
export interface Caller {
  readonly address: string;
  readonly standing: Standing;
}

/** Whether the address may make one request more. The token takes the count back; 0: nothing was counted. */
export type AddressAnswer =
  | { ok: true; token: number }
  /** `retryAfter`: whole seconds, 1 to 60. */
  | { ok: false; retryAfter: number; limit: number };
