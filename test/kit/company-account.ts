/** Who works at the tests' company, and what a gateway is told of it. Types alone, for tests inside workerd too. */

/** What to change in the ID tokens that the company's server gives out. */
export interface Forgery {
  /** Claims over the true ones; `null` takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * Whose signature it carries: the company's own (default); a key that the company does not publish, under the true
   * key's id; the client's secret as an HMAC; nobody's (`alg: none`); the company's, over other claims.
   */
  readonly signed?: "company" | "stranger" | "secret" | "nobody" | "before";
  /** Answers a code that was used with the same tokens again, as a careless server would. */
  readonly repeats?: boolean;
}

/** Somebody who works at the company. */
export interface Account {
  readonly sub: string;
  readonly email: string;
  /** True unless set. */
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** They can sign in no more, and their refresh tokens are refused. */
  readonly off?: true;
  /** What their ID tokens say instead of the truth. */
  readonly forgery?: Forgery;
}

/** A gateway's settings for signing in its people at the company. */
export type CompanySettings = Readonly<
  Record<"OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET", string>
>;

declare module "vitest" {
  interface ProvidedContext {
    /** The project's company (company-setup.ts). */
    company: CompanySettings;
  }
}
