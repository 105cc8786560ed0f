/** A company's OpenID Connect server, as the gateway's sign-in meets it: the package `oidc-provider` with a plain login page. */
import { randomBytes } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider, type ProviderContext, type ProviderGrant } from "oidc-provider";
import type { Account, CompanySettings } from "./company-account.ts";
import { type CompanyKey, forged, makeCompanyKey } from "./company-forgery.ts";

export interface CompanyOptions {
  readonly accounts: readonly Account[];
  /** More clients, as OpenID Connect registers them. */
  readonly clients?: readonly Readonly<Record<string, unknown>>[];
  /** Where it listens; a free port unless set. */
  readonly port?: number;
  /** Whether e-mail, name and groups are in the ID token too (default) or in the answer of its userinfo endpoint alone. */
  readonly claimsIn?: "id_token" | "userinfo";
  /** What the claim of groups is called; `groups` unless set. */
  readonly groupsClaim?: string;
}

/** A running company. */
export interface Company {
  /** `http://127.0.0.1:<port>`: the setting `OIDC_ISSUER`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The three settings of a gateway that signs its people in here. */
  readonly settings: CompanySettings;
  /** Adds an account, or replaces the one of that subject; over the network: `PUT /test/account`. */
  put(account: Account): void;
  /** `GET /auth`, `POST /token` and so on, as they came, for tests of who asks what how often. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

const clientId = "gateway";
/** The same for all companies of a process: making one takes a tenth of a second. */
let sharedKey: CompanyKey | undefined;

/** Starts a company on loopback. Any path of loopback hosts and of `gateway.test` may be a redirect address. */
export async function startCompany(options: CompanyOptions): Promise<Company> {
  sharedKey ??= makeCompanyKey();
  const state: State = {
    accounts: new Map(options.accounts.map((account) => [account.sub, account])),
    answered: new Map(),
    calls: [],
    secret: randomBytes(24).toString("base64url"),
    key: sharedKey,
  };
  const server = http.createServer();
  const port = await listening(server, options.port ?? 0);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = makeProvider(issuer, state, options);
  const callback = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    state.calls.push(`${request.method} ${request.url?.split("?")[0]}`);
    const own = ownPages.find(([start]) => request.url?.startsWith(start) === true)?.[1];
    if (own === undefined) callback(request, response);
    else
      own({ provider, state }, request, response).catch((error: unknown) => {
        response.writeHead(400, { "content-type": "text/plain" }).end(String(error));
      });
  });
  return {
    issuer,
    clientId,
    clientSecret: state.secret,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: state.secret,
    },
    put: (account) => put(state, account),
    calls: state.calls,
    close: () => closed(server),
  };
}

interface State {
  readonly accounts: Map<string, Account>;
  /** What the token endpoint answered to which code. */
  readonly answered: Map<string, Answered>;
  readonly calls: string[];
  readonly secret: string;
  readonly key: CompanyKey;
}

interface Answered {
  readonly sub: string;
  readonly body: { readonly id_token?: string };
}

type OwnPage = (
  company: { readonly provider: Provider; readonly state: State },
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/** What the package leaves to its users, and what tests call. */
const ownPages: readonly (readonly [string, OwnPage])[] = [
  ["/interaction/", interaction],
  ["/test/account", putAccount],
];

function put({ accounts }: State, account: Account): void {
  accounts.set(account.sub, account);
}

function makeProvider(issuer: string, state: State, options: CompanyOptions): Provider {
  const provider = quietly(() => new Provider(issuer, configuration(state, options)));
  for (const method of ["redirectUriAllowed", "postLogoutRedirectUriAllowed"] as const)
    provider.Client.prototype[method] = isOfTests;
  provider.use(async (context, next) => {
    await next();
    if (context.path === "/token") tamper(context, state);
  });
  return provider;
}

/** The package says at every start that it is not set up for production. */
function quietly<Made>(make: () => Made): Made {
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  try {
    return make();
  } finally {
    Object.assign(console, { info, warn });
  }
}

function isOfTests(uri: string): boolean {
  const hosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]", "gateway.test"];
  return hosts.includes(new URL(uri).hostname);
}

function configuration(
  { accounts, secret, key }: State,
  { clients = [], claimsIn = "id_token", groupsClaim = "groups" }: CompanyOptions,
): Readonly<Record<string, unknown>> {
  const client = {
    client_id: clientId,
    client_secret: secret,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    redirect_uris: ["http://127.0.0.1/auth/callback"],
  };
  const jwk = key.privateKey.export({ format: "jwk" });
  return {
    clients: [client, ...clients],
    jwks: { keys: [{ ...jwk, kid: key.id, use: "sig", alg: "RS256" }] },
    cookies: {
      keys: [secret],
      names: {
        session: "company_session",
        interaction: "company_sign_in",
        resume: "company_resume",
      },
    },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", groupsClaim],
      groups: [groupsClaim],
    },
    scopes: ["openid", "offline_access", "groups"],
    conformIdTokenClaims: claimsIn === "userinfo",
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      RefreshToken: 86_400,
      Interaction: 3600,
      Grant: 86_400,
      Session: 86_400,
    },
    // Nobody is asked whether the gateway may know who they are: the company decided that.
    loadExistingGrant: grantEverything,
    findAccount: (_: unknown, sub: string) => {
      const account = accounts.get(sub);
      if (account === undefined || account.off === true) return undefined;
      return { accountId: sub, claims: () => claimsOf(account, groupsClaim) };
    },
    renderError: (context: ProviderContext, out: object) => {
      context.body = JSON.stringify(out);
    },
  };
}

async function grantEverything({ oidc }: ProviderContext): Promise<ProviderGrant | undefined> {
  if (oidc === undefined) return undefined;
  const grant = new oidc.provider.Grant({
    clientId: oidc.client?.clientId ?? "",
    accountId: oidc.account?.accountId ?? "",
  });
  grant.addOIDCScope("openid email profile groups offline_access");
  await grant.save();
  return grant;
}

function claimsOf(account: Account, groupsClaim: string): Readonly<Record<string, unknown>> {
  const { groups, off: _, forgery: _forgery, ...claims } = account;
  return { email_verified: true, ...claims, ...(groups && { [groupsClaim]: groups }) };
}

function logoutSource(context: ProviderContext, form: string): void {
  context.body = `<!DOCTYPE html><title>Sign out</title>${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
}

function postLogoutSuccessSource(context: ProviderContext): void {
  context.body = "<!DOCTYPE html><title>Signed out</title><p>You are signed out.</p>";
}

/** Replaces the ID token of an answer by a forged one, and answers a used code again where the forgery says so. */
function tamper(context: ProviderContext, { accounts, answered, key, secret }: State): void {
  const code = String(context.oidc?.params?.["code"]);
  const sub = context.oidc?.account?.accountId;
  if (context.status === 200 && sub !== undefined)
    answered.set(code, { sub, body: context.body as Answered["body"] });
  const answer = answered.get(code);
  const forgery = accounts.get(answer?.sub ?? "")?.forgery;
  if (answer === undefined || forgery === undefined) return;
  if (context.status !== 200 && forgery.repeats !== true) return;
  const { id_token: token } = answer.body;
  context.status = 200;
  context.body = {
    ...answer.body,
    ...(token !== undefined && { id_token: forged(token, forgery, { key, secret }) }),
  };
}

/** For tests in another process: the account as JSON. */
async function putAccount(
  { state }: { readonly state: State },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  put(state, JSON.parse(await textOf(request)) as Account);
  response.writeHead(204).end();
}

/** The login page: who is signed in is whom its form names, by subject or e-mail address; any password is right. */
async function interaction(
  { provider, state }: { readonly provider: Provider; readonly state: State },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") return page(response, { uid, status: 200, words: "" });
  const login = new URLSearchParams(await textOf(request)).get("login") ?? "";
  const found = [...state.accounts.values()].find(
    ({ sub, email }) => sub === login || email === login,
  );
  if (found === undefined || found.off === true)
    return page(response, { uid, status: 401, words: "This account cannot sign in." });
  await provider.interactionFinished(request, response, {
    login: { accountId: found.sub, remember: true },
  });
}

function page(
  response: ServerResponse,
  { uid, status, words }: { uid: string; status: number; words: string },
): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!DOCTYPE html><html lang="en"><title>The company</title><h1>The company</h1>
<p role="alert">${words}</p>
<form method="post" action="/interaction/${uid}">
<label>Account <input name="login" autofocus></label>
<label>Password <input name="password" type="password"></label>
<button>Sign in</button></form>`);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function listening(server: http.Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      // A listening TCP server has such an address.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closed(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
