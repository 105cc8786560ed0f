/** Browsers that are signed in at the dashboard. */
import { CookieJar } from "../../kit/cookie-jar.ts";
import { visit } from "../../kit/company-sign-in.ts";
import type { PageCall } from "../page-calls.ts";
import type { Someone } from "./people.ts";
import { gatewayBase, send } from "./gateway.ts";

/** The cookies of a browser that signed in with an administrator's token. */
export async function browserWith(token: string): Promise<CookieJar> {
  const jar = new CookieJar();
  const form = new URLSearchParams({ token });
  const answer = await visit({ url: `${gatewayBase}/dashboard/sign-in`, jar, form, send });
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  return jar;
}

/** The cookies of somebody's browser. */
export function browserOf({ session }: Someone): CookieJar {
  const jar = new CookieJar();
  jar.plant(gatewayBase, `gateway_session=${session}; Path=/`);
  return jar;
}

/** What a page answered. */
export interface PageAnswer {
  readonly status: number;
  /** Where it redirects to; null: nowhere. */
  readonly location: string | null;
  readonly text: string;
}

/** One call of a page, in that browser. */
export async function callPage(
  { method, path, form }: PageCall,
  jar: CookieJar,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const url = `${gatewayBase}${path}`;
  const cookie = jar.header(url);
  const response = await send(
    new Request(url, {
      method,
      redirect: "manual",
      headers: {
        ...(cookie !== "" && { cookie }),
        ...(form !== undefined && { origin: gatewayBase, "sec-fetch-site": "same-origin" }),
        ...headers,
      },
      ...(form !== undefined && { body: form }),
    }),
  );
  jar.take(url, response);
  const location = response.headers.get("location");
  return { status: response.status, location, text: await textOf(response, path) };
}

/** What is new comes in pieces for as long as somebody listens. */
async function textOf(response: Response, path: string): Promise<string> {
  if (path !== "/dashboard/live" || response.body === null) return await response.text();
  await response.body.cancel();
  return "";
}
