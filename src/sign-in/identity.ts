/** Who somebody is by the identity provider's claims, and whether that is enough. */
import { lowerCaseAscii } from "../lib/ascii.ts";
import type { OidcSettings } from "../store/oidc-settings.ts";
import type { Identity } from "../workspace/accounts/tables/users.ts";
import { SignInRefused } from "./faults.ts";
import type { Claims } from "./identity-provider.ts";

/** Groups of one person that are kept, and characters of one of their names. */
const mostGroups = 500;
const longestGroup = 256;
const longestName = 200;

/** Throws SignInRefused for an empty subject, for an address that is not verified or whose domain is not allowed. */
export function identityOf(
  { issuer, domains, groupsClaim }: OidcSettings,
  claims: Claims,
): Identity {
  const { sub, email, email_verified: verified, name } = claims;
  if (sub.trim() === "") throw new SignInRefused("answer");
  if (typeof email !== "string" || verified !== true || !/^[^@\s]+@[^@\s]+$/.test(email))
    throw new SignInRefused("email");
  const address = lowerCaseAscii(email);
  const domain = address.slice(address.indexOf("@") + 1);
  if (domains !== null && !domains.has(domain)) throw new SignInRefused("domain");
  return {
    issuer: issuer.href,
    subject: sub,
    email: address,
    name: typeof name === "string" ? name.trim().slice(0, longestName) : "",
    groups: groupsClaim === null ? [] : groupsIn(claims[groupsClaim]),
  };
}

/** A list of names, or one name. */
function groupsIn(claim: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const names = list.filter(
    (name) => typeof name === "string" && name !== "" && name.length <= longestGroup,
  );
  return [...new Set(names.map(String))].slice(0, mostGroups);
}
