/** Who calls: everybody who can act in a workspace, and everybody who cannot or can no longer. */
import { gatewayEnv } from "./gateway.ts";
import type { Place } from "./places.ts";

/** The columns of the tables: credentials that are good somewhere. */
export const callers = [
  "root",
  "operator",
  "owner",
  "member",
  "viewer",
  "workspace token",
  "stranger",
] as const;
/** One of them. */
export type CallerName = (typeof callers)[number];

/** Credentials that are good nowhere. */
export const nobodies = ["nobody", "key", "expired", "revoked", "left", "forged"] as const;
/** One of them. */
export type NobodyName = (typeof nobodies)[number];

/** The bearer tokens of all of them. */
export type Tokens = Readonly<Partial<Record<CallerName | NobodyName, string>>>;

/** Credentials of everybody in that workspace; strangers belong to the other one. */
export function makeTokens({ own, foreign }: { own: Place; foreign: Place }): Tokens {
  return {
    root: gatewayEnv.ADMIN_TOKEN,
    "workspace token": own.token,
    stranger: foreign.token,
    nobody: "",
    key: own.key,
    forged: `gwa_${"A".repeat(43)}`,
  };
}
