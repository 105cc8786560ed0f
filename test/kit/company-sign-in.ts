/** Walks through a company's sign-in by requests and cookies, as a browser would. */
import type { Account } from "./company-account.ts";
import { CookieJar } from "./cookie-jar.ts";

/** Sends a request; redirects come back as they are. */
export type SendOne = (request: Request) => Promise<Response>;

const overTheNetwork: SendOne = (request) => fetch(request);

/** Somebody's name at the company: subject or e-mail address. */
export type Login = { readonly sub: string } | string;

/**
 * Signs in at the company from the address that the gateway redirected to, and gives the address of the gateway's
 * callback that the company redirects to. Throws with the company's words where it refuses. The same jar again finds
 * the company's own session, so that nobody is asked.
 */
export async function signInAt(
  authorizationUrl: string,
  login: Login,
  jar: CookieJar = new CookieJar(),
): Promise<string> {
  const { origin } = new URL(authorizationUrl);
  const form = new URLSearchParams({ login: typeof login === "string" ? login : login.sub });
  let url = authorizationUrl;
  let response = await visit({ url, jar });
  for (;;) {
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      if (new URL(url).origin !== origin) return url;
      response = await visit({ url, jar });
    } else if (response.ok && new URL(url).pathname.startsWith("/interaction/")) {
      response = await visit({ url, jar, form });
      if (response.headers.get("location") === null)
        throw new Error(`the company refused: ${response.status} ${await response.text()}`);
    } else {
      throw new Error(`the company refused: ${response.status} ${await response.text()}`);
    }
  }
}

/** Adds an account to a company of another process, or replaces the one of that subject. */
export async function putAccount(issuer: string, account: Account): Promise<void> {
  const body = JSON.stringify(account);
  const answer = await fetch(`${issuer}/test/account`, { method: "PUT", body });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** One step of a browser. */
export interface Visit {
  readonly url: string;
  readonly jar: CookieJar;
  /** Posted, as a page of the same origin would; without it the address is read. */
  readonly form?: URLSearchParams;
  /** More headers, over the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly send?: SendOne;
}

/** One request with the jar's cookies; what the answer sets goes into the jar. Redirects are not followed. */
export async function visit(given: Visit): Promise<Response> {
  const { url, jar, form, headers, send = overTheNetwork } = given;
  const cookie = jar.header(url);
  const { origin } = new URL(url);
  const request = new Request(url, {
    redirect: "manual",
    headers: {
      accept: "text/html",
      ...(cookie !== "" && { cookie }),
      ...(form !== undefined && { origin, "sec-fetch-site": "same-origin" }),
      ...headers,
    },
    ...(form !== undefined && { method: "POST", body: form }),
  });
  const response = await send(request);
  jar.take(url, response);
  return response;
}

/** A gateway where people sign in, and how to reach it. */
export interface SignInPlace {
  /** `http://127.0.0.1:<port>`. */
  readonly base: string;
  readonly send?: SendOne;
}

/** Starts a sign-in and signs in at the company: the callback's address, which is still to be visited with the same jar. */
export async function callbackFor(
  { base, send }: SignInPlace,
  login: Login,
  { jar, path = "/auth/login" }: { jar: CookieJar; path?: string },
): Promise<string> {
  const options = { jar, ...(send !== undefined && { send }) };
  const start = await visit({ url: base + path, ...options });
  const target = start.headers.get("location");
  if (target === null) throw new Error(`${path}: ${start.status} ${await start.text()}`);
  await start.arrayBuffer();
  return await signInAt(new URL(target, base).href, login);
}

/** Visits the callback; where an invitation is offered, answers "Join", or what is said. The last answer. */
export async function finishSignIn(
  url: string,
  { jar, send, answer = "join" }: { jar: CookieJar; send?: SendOne; answer?: "join" | "no" },
): Promise<Response> {
  const options = { jar, ...(send !== undefined && { send }) };
  const response = await visit({ url, ...options });
  const guest = await guestOf(response);
  if (guest === undefined) return response;
  const form = new URLSearchParams({ guest, answer });
  return await visit({ url: new URL("/auth/join", url).href, form, ...options });
}

/** What the page of an invitation carries about who opened it; undefined for every other page. */
export async function guestOf(page: Response): Promise<string | undefined> {
  return /name="guest" value="([^"]*)"/.exec(await page.clone().text())?.[1];
}

/** Signs somebody in at the gateway and follows it to its first page: the cookies of the new session. */
export async function signInTo(
  place: SignInPlace,
  login: Login,
  jar: CookieJar = new CookieJar(),
): Promise<CookieJar> {
  const { send } = place;
  let url = await callbackFor(place, login, { jar });
  for (let steps = 0; steps < 5; steps += 1) {
    const response = await visit({ url, jar, ...(send !== undefined && { send }) });
    const location = response.headers.get("location");
    if (location === null) {
      const text = await response.text();
      if (!response.ok) throw new Error(`the gateway refused: ${response.status} ${text}`);
      return jar;
    }
    await response.arrayBuffer();
    url = new URL(location, url).href;
  }
  throw new Error(`the gateway redirects in a circle: ${url}`);
}
