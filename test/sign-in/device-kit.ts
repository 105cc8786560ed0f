/** A gateway with company sign-in, in process: people who have signed in, and programs that ask to be. */
import { createExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { newSessionId } from "../../src/admin/shared/credentials/session.ts";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";
import { directoryStub } from "../../src/workspace/remote.ts";

export const issuer = "https://login.corp.test/";

export const env: Env = {
  // The pool gives the bindings of wrangler.toml, which Env describes.
  ...(bindings as unknown as Env),
  VARIANT: "A",
  TRUSTED_IP_HEADER: "x-test-address",
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "gateway",
  OIDC_CLIENT_SECRET: "a secret of the company",
};

const { OIDC_ISSUER: _, OIDC_CLIENT_ID: __, OIDC_CLIENT_SECRET: ___, ...others } = env;

/** The same gateway where people cannot sign in. */
export const withoutPeople: Env = others;

export const grants = {
  device: "urn:ietf:params:oauth:grant-type:device_code",
  refresh: "refresh_token",
} as const;

let addresses = 0;

/** One request, from an address of its own unless it names one. */
export async function knock(
  path: string,
  init: RequestInit = {},
  settings: Env = env,
): Promise<Response> {
  const asking = new Request(`http://gateway.test${path}`, init);
  if (!asking.headers.has("x-test-address")) {
    addresses += 1;
    asking.headers.set("x-test-address", `10.7.${addresses >> 8}.${addresses & 255}`);
  }
  return await worker.fetch(asking, settings, createExecutionContext());
}

/** An answer, read. */
export interface Read {
  status: number;
  headers: Headers;
  // The tests name the members that they expect.
  json: Record<string, string & number>;
}

export async function read(answer: Response): Promise<Read> {
  const text = await answer.text();
  const { status, headers } = answer;
  const json = text.startsWith("{") ? (JSON.parse(text) as Read["json"]) : {};
  return { status, headers, json };
}

/** A form, as programs send it. */
export async function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Read> {
  const body = new URLSearchParams(form).toString();
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return await read(await knock(path, { method: "POST", body, headers: { ...type, ...headers } }));
}

export interface TestPerson {
  id: string;
  email: string;
  workspace: string;
  /** Of their browser. */
  cookie: string;
}

/** A member of a workspace of their own. */
export async function person(role: "viewer" | "member" | "owner" = "member"): Promise<TestPerson> {
  const name = crypto.randomUUID().slice(0, 8);
  const email = `${name}@corp.test`;
  const made = await knock("/api/workspaces", {
    method: "POST",
    headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
    body: JSON.stringify({ name }),
  });
  const { id: workspace } = (await made.json()) as { id: string };
  const directory = directoryStub(env);
  const browser = { env, request: new Request("http://gateway.test") };
  const { hash, cookies, agent } = await newSessionId(browser);
  const arrived = await directory.arrive({
    identity: { issuer, subject: `sub-${name}`, email, name: "Dev", groups: [] },
    signUp: "invited",
    operator: true,
    invitation: null,
    ownWorkspace: `own-${name}`,
    ownPlan: null,
    login: crypto.randomUUID(),
    session: { id: hash, agent },
    prepared: [],
  });
  if (arrived.kind !== "entered") throw new Error(`did not arrive: ${JSON.stringify(arrived)}`);
  const { id } = arrived.person;
  const added = await directory.addMember({ workspace, user: id, role, most: null });
  if (typeof added === "string") throw new Error(added);
  return { id, email, workspace, cookie: cookies[0]?.split(";")[0] ?? "" };
}

export interface Waiting {
  device_code: string;
  user_code: string;
}

/** A program asks to be signed in, again where its address has asked too often in this second. */
export async function askForCode(headers: Record<string, string> = {}): Promise<Waiting> {
  const ask = () => post("/oauth/device_authorization", { surface: "claude_code" }, headers);
  let { status, json } = await ask();
  while (status === 429) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ status, json } = await ask());
  }
  return { device_code: json["device_code"] ?? "", user_code: json["user_code"] ?? "" };
}

/** The same once the person has confirmed. */
export async function confirmed({ id, workspace }: TestPerson): Promise<Waiting> {
  const waiting = await askForCode();
  const judged = { code: waiting.user_code, verdict: "approved", person: id, workspace } as const;
  if (!(await directoryStub(env).judgeDevice(judged))) throw new Error("nothing waits");
  return waiting;
}

export function redeem(device: string): Promise<Read> {
  return post("/oauth/token", { grant_type: grants.device, device_code: device });
}

export function refresh(token: string): Promise<Read> {
  return post("/oauth/token", { grant_type: grants.refresh, refresh_token: token });
}

export interface Tokens {
  access: string;
  refresh: string;
}

export function tokensOf({ json }: Read): Tokens {
  return { access: json["access_token"] ?? "", refresh: json["refresh_token"] ?? "" };
}

/** A program that the person has signed in. */
export async function signedIn(of: TestPerson): Promise<Tokens> {
  const { device_code: device } = await confirmed(of);
  return tokensOf(await redeem(device));
}

/** The status of a request with that key. */
export async function statusWith(key: string): Promise<number> {
  const answer = await knock("/v1/models", { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** A call with the deployment's token, in that workspace. */
export async function asRoot(workspace: string, call: string, body?: unknown): Promise<Read> {
  const [method = "GET", path = ""] = call.split(" ");
  const headers = {
    authorization: `Bearer ${env.ADMIN_TOKEN}`,
    "x-gateway-workspace": workspace,
    "content-type": "application/json",
  };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  return await read(await knock(path, { method, headers, ...text }));
}
