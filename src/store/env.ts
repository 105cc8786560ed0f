/** The worker's bindings: what a deployment sets and what the runtime gives. Only the roof and the objects see them. */
export interface Env {
  /** Durable Object classes, by name: one object a workspace, one a client address, one directory. */
  WORKSPACE: DurableObjectNamespace;
  IP: DurableObjectNamespace;
  DIRECTORY: DurableObjectNamespace;
  /** Keys and snapshots for fast reads; never the truth. */
  KV: KVNamespace;
  ADMIN_TOKEN: string;
  /** 32 bytes, base64; a list `new,old` while keys are being rotated. */
  ENCRYPTION_KEY: string;
  VARIANT?: string;
  MODE?: string;
  /** Variant B, self-hosted: milliseconds and requests. */
  THROTTLE_TTL?: string;
  THROTTLE_LIMIT?: string;
  TRUSTED_IP_HEADER?: string;
  /** New at every start of a self-hosted process: leases of another boot are void. */
  BOOT_ID?: string;
}

export type Mode = "self-hosted" | "cloud";
export type VariantName = "A" | "B";

/** The mode; anything but `cloud` is self-hosted. */
export function modeOf(env: Pick<Env, "MODE">): Mode {
  return env.MODE === "cloud" ? "cloud" : "self-hosted";
}

/** The variant; anything but `B` is A. */
export function variantOf(env: Pick<Env, "VARIANT">): VariantName {
  return env.VARIANT?.toUpperCase() === "B" ? "B" : "A";
}
