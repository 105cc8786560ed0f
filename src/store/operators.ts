/** Who runs the deployment: the setting `OPERATORS`. */
import { lowerCaseAscii } from "../lib/ascii.ts";
import type { Env } from "./env.ts";

/** Somebody who signed in, as the identity provider names them. */
export interface SignedInAs {
  readonly subject: string;
  /** Verified, in lower case. */
  readonly email: string;
}

/**
 * Whether the setting names the subject or the e-mail address. An entry with an @ is an address and never a subject:
 * some identity providers let people choose their subject, which could read like somebody else's address.
 */
export function isOperator(
  { OPERATORS: setting = "" }: Pick<Env, "OPERATORS">,
  { subject, email }: SignedInAs,
): boolean {
  const named = setting.split(",").map((part) => part.trim());
  return named.some((name) =>
    name.includes("@") ? lowerCaseAscii(name) === email : name !== "" && name === subject,
  );
}
