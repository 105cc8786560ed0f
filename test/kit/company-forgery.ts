/** ID tokens that a company's server never made, for tests of what a gateway must refuse. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Forgery } from "./company-account.ts";

/** What signs the company's tokens. */
export interface CompanyKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** A new RSA key for signatures by RS256. */
export function makeCompanyKey(): CompanyKey {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { id: "company-1", privateKey };
}

/** The ID token with what the forgery says. */
export function forged(
  token: string,
  { claims = {}, signed = "company" }: Forgery,
  { key, secret }: { key: CompanyKey; secret: string },
): string {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const before = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  const after = Object.entries({ ...before, ...claims }).filter(([, value]) => value !== null);
  const body = encoded(Object.fromEntries(after));
  switch (signed) {
    case "before":
      return `${header}.${body}.${signature}`;
    case "nobody":
      return `${encoded({ alg: "none" })}.${body}.`;
    case "secret": {
      const text = `${encoded({ alg: "HS256" })}.${body}`;
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    }
    case "stranger":
      return signedBy(stranger(), { header, body });
    case "company":
      return signedBy(key, { header, body });
    default:
      return signed satisfies never;
  }
}

let known: CompanyKey | undefined;

function stranger(): CompanyKey {
  known ??= makeCompanyKey();
  return known;
}

function signedBy({ privateKey }: CompanyKey, { header, body }: Record<string, string>): string {
  const text = `${header}.${body}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
