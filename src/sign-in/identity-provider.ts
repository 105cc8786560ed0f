/** The company's OpenID Connect server: where a browser is sent to sign in, and who came back. */
import * as oauth from "oauth4webapi";
import { readWithin } from "../lib/bounded-read.ts";
import { byteReader } from "../lib/bytes.ts";
import { isTooDeep } from "../lib/json.ts";
import type { OidcSettings } from "../store/oidc-settings.ts";
import { Memory } from "../workspace/memory.ts";
import { SignInRefused } from "./faults.ts";
import type { LoginState } from "./login-state.ts";

/** How long what the server says of itself is kept, ms. */
const discoveryTime = 10 * 60_000;
/** How long it is waited for, ms. */
const patience = 10_000;
/** Bytes of one answer: keys, and people with thousands of groups, take less. */
const longestAnswer = 512 * 1024;

interface KnownServer {
  readonly server: oauth.AuthorizationServer;
  readonly at: number;
  /** The server's public keys; the library reads them anew when a signature names another one. */
  readonly keys: oauth.JWKSCacheInput;
}

/** By the issuer's address. */
const servers = new Memory<KnownServer>(10);

/** Claims about somebody, the ID token's and, where it lacks some, those of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Where the browser is sent. Throws SignInRefused where the server cannot be reached. */
export async function authorizationUrl(settings: OidcSettings, login: LoginState): Promise<string> {
  const { server } = await knownServer(settings);
  const endpoint = server.authorization_endpoint;
  if (endpoint === undefined) throw refused("registration", "there is no authorization_endpoint");
  const url = new URL(endpoint);
  const parameters = {
    client_id: settings.clientId,
    response_type: "code",
    redirect_uri: login.redirect,
    scope: scopeFor(settings, server),
    state: login.state,
    nonce: login.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(login.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Who came back with this answer: every claim is the server's word. Throws SignInRefused. */
export async function claimsFrom(
  settings: OidcSettings,
  login: LoginState,
  answer: URL,
): Promise<Claims> {
  const { server, keys } = await knownServer(settings);
  const client = { client_id: settings.clientId };
  const parameters = await stage("refused", () =>
    oauth.validateAuthResponse(server, client, answer, login.state),
  );
  if (parameters.getAll("code").length !== 1) throw refused("answer", "there is not one code");
  const response = await codeExchanged({ settings, server, login, parameters });
  const tokens = await stage("code", () =>
    oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: login.nonce,
      requireIdToken: true,
    }),
  );
  await stage("answer", () =>
    oauth.validateApplicationLevelSignature(server, response, {
      ...requestOptions(settings),
      [oauth.jwksCache]: keys,
    }),
  );
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw refused("answer", "there is no ID token");
  return await completed({ settings, server, tokens, claims });
}

interface CodeExchange {
  readonly settings: OidcSettings;
  readonly server: oauth.AuthorizationServer;
  readonly login: LoginState;
  /** Of the answer, checked. */
  readonly parameters: URLSearchParams;
}

/** The token endpoint's answer to the code. */
async function codeExchanged(exchange: CodeExchange): Promise<Response> {
  const { settings, server, login, parameters } = exchange;
  return await stage("unreachable", () =>
    oauth.authorizationCodeGrantRequest(
      server,
      { client_id: settings.clientId },
      authenticationOf(settings, server),
      parameters,
      login.redirect,
      login.verifier,
      requestOptions(settings),
    ),
  );
}

interface SignedIn {
  readonly settings: OidcSettings;
  readonly server: oauth.AuthorizationServer;
  readonly tokens: oauth.TokenEndpointResponse;
  readonly claims: Claims;
}

/** Many servers tell e-mail address and groups at the userinfo endpoint only. */
async function completed({ settings, server, tokens, claims }: SignedIn): Promise<Claims> {
  const wanted = [
    "email",
    "email_verified",
    ...(settings.groupsClaim === null ? [] : [settings.groupsClaim]),
  ];
  const isComplete = wanted.every((name) => claims[name] !== undefined);
  if (isComplete || server.userinfo_endpoint === undefined) return claims;
  const client = { client_id: settings.clientId };
  const response = await stage("unreachable", () =>
    oauth.userInfoRequest(server, client, tokens.access_token, requestOptions(settings)),
  );
  const more = await stage("answer", () =>
    oauth.processUserInfoResponse(server, client, claims.sub, response),
  );
  // An address is verified by the document that states it: what another one says may be about another address.
  const { email, email_verified } = isStated(claims) ? claims : more;
  return { ...more, ...claims, email, email_verified };
}

function isStated(claims: Readonly<Record<string, unknown>>): boolean {
  return claims["email"] !== undefined && claims["email_verified"] !== undefined;
}

/** What the server says of itself. Throws SignInRefused where it does not answer. */
async function knownServer(settings: OidcSettings): Promise<KnownServer> {
  const { issuer } = settings;
  const now = Date.now();
  const kept = servers.get(issuer.href);
  if (kept !== undefined && now - kept.at < discoveryTime) return kept;
  const server = await stage("unreachable", async () => {
    const response = await oauth.discoveryRequest(issuer, requestOptions(settings));
    return await oauth.processDiscoveryResponse(issuer, response);
  });
  const known = { server, at: now, keys: {} };
  servers.set(issuer.href, known);
  return known;
}

function requestOptions({ issuer }: OidcSettings) {
  return {
    signal: () => AbortSignal.timeout(patience),
    // Only loopback addresses are without TLS: the settings' parser refuses others.
    [oauth.allowInsecureRequests]: issuer.protocol === "http:",
    [oauth.customFetch]: boundedFetch,
  };
}

/** The library parses whatever an answer holds: one that is long or nested too deep is refused before. */
async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  if (response.body === null) return response;
  const bytes = await readWithin(byteReader(response.body), { cap: longestAnswer });
  if (isTooDeep(new TextDecoder().decode(bytes))) throw new RangeError("nested too deeply");
  return new Response(bytes, response);
}

function authenticationOf(
  { clientSecret }: OidcSettings,
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  // What is not said means Basic.
  const takesBasic = methods === undefined || methods.includes("client_secret_basic");
  return takesBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

function scopeFor(
  { groupsClaim }: OidcSettings,
  { scopes_supported: known }: oauth.AuthorizationServer,
): string {
  const groups = groupsClaim !== null && known?.includes("groups") === true ? ["groups"] : [];
  return ["openid", "email", "profile", ...groups].join(" ");
}

/** Runs one step; what the library throws becomes the fault that it means there. */
async function stage<Result>(
  otherwise: "unreachable" | "refused" | "code" | "answer",
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw refused(faultOf(error, otherwise), error);
  }
}

function faultOf(
  error: unknown,
  otherwise: "unreachable" | "refused" | "code" | "answer",
): SignInRefused["fault"] {
  if (error instanceof oauth.AuthorizationResponseError) return "refused";
  if (error instanceof oauth.ResponseBodyError)
    return error.error === "invalid_grant" ? "code" : "registration";
  if (error instanceof oauth.WWWAuthenticateChallengeError) return "registration";
  const isAnswer =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError;
  if (!isAnswer) return "unreachable";
  return otherwise === "unreachable" ? "unreachable" : "answer";
}

/** The reason goes to the log: the page names none of the server's words. */
function refused(fault: SignInRefused["fault"], reason: unknown): SignInRefused {
  const code = reason instanceof Error && "code" in reason ? ` (${String(reason.code)})` : "";
  const words = reason instanceof Error ? reason.message : String(reason);
  console.warn(`A sign-in ended: ${fault}: ${words}${code}`);
  return new SignInRefused(fault);
}
