/** How a client address is counted. */

/** Whether the address may make one request more. The token takes the count back; 0: nothing was counted. */
export type AddressAnswer =
  | { ok: true; token: number }
  /** `retryAfter`: whole seconds, 1 to 60. */
  | { ok: false; retryAfter: number; limit: number };
