/** A gateway inside workerd where people of the tests' company sign in. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { inject } from "vitest";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";
import type { Account } from "../kit/company-account.ts";
import { putAccount, signInTo, visit } from "../kit/company-sign-in.ts";
import type { CookieJar } from "../kit/cookie-jar.ts";
import { env } from "../workspace/workers-kit.ts";

export const base = "http://gateway.test";
const company = inject("company");

/** A gateway with settings of its own. */
export interface Gateway {
  readonly env: Env;
  readonly base: string;
  send(request: Request): Promise<Response>;
}

/** The company is its identity provider. */
export function gatewayWith(settings: Partial<Env> = {}): Gateway {
  const own: Env = { ...env, ...company, ...settings };
  return {
    env: own,
    base,
    async send(request) {
      const context = createExecutionContext();
      const answer = await worker.fetch(request, own, context);
      await waitOnExecutionContext(context);
      return answer;
    },
  };
}

let accounts = 0;

/** Somebody new at the company. */
export async function newAccount(more: Partial<Account> = {}): Promise<Account> {
  accounts += 1;
  const sub = `${crypto.randomUUID()}-${accounts}`;
  const account = { sub, email: `${sub}@corp.test`, name: `Person ${accounts}`, ...more };
  await putAccount(company.OIDC_ISSUER, account);
  return account;
}

/** Changes what the company says of somebody. */
export async function changeAccount(account: Account): Promise<void> {
  await putAccount(company.OIDC_ISSUER, account);
}

/** Signs in; the browser with the session. */
export function signedIn(gateway: Gateway, account: Account): Promise<CookieJar> {
  return signInTo(gateway, account);
}

export interface ApiCall {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  /** A browser's session, or a token. */
  readonly by: CookieJar | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call of the admin API: its status and its body. */
export async function api(
  gateway: Gateway,
  { method = "GET", path, body, by, headers }: ApiCall,
): Promise<{ status: number; body: unknown }> {
  const url = base + path;
  const answer = await gateway.send(
    new Request(url, {
      method,
      headers: {
        ...(typeof by === "string"
          ? { authorization: `Bearer ${by}` }
          : { cookie: by.header(url) }),
        ...(method !== "GET" && { origin: base }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  if (typeof by !== "string") by.take(url, answer);
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** A page as a browser gets it; redirects come back as they are. */
export async function page(
  gateway: Gateway,
  path: string,
  jar: CookieJar,
): Promise<{ status: number; location: string | null; text: string }> {
  const answer = await visit({ url: base + path, jar, send: (request) => gateway.send(request) });
  const text = await answer.text();
  return { status: answer.status, location: answer.headers.get("location"), text };
}
