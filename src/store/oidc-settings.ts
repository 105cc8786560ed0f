/** The settings of the sign-in by OpenID Connect. */
import { type Env, SettingsError } from "./env.ts";

/** How people sign in. */
export interface OidcSettings {
  /** The identity provider's address, as its discovery document names it. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In lower case; null: every domain. */
  readonly domains: ReadonlySet<string> | null;
  /** The claim that names groups; null: groups are not read. */
  readonly groupsClaim: string | null;
  readonly signUp: SignUp;
}

/** Whether whoever signs in gets a workspace, or has to be invited. */
export type SignUp = "open" | "invited";

type OidcEnv = Partial<
  Pick<
    Env,
    | "OIDC_ISSUER"
    | "OIDC_CLIENT_ID"
    | "OIDC_CLIENT_SECRET"
    | "OIDC_ALLOWED_DOMAINS"
    | "OIDC_GROUPS_CLAIM"
    | "SIGN_UP"
  >
>;

/** The settings; null where people do not sign in by an identity provider. Throws SettingsError for what cannot be. */
export function oidcSettingsOf(env: OidcEnv): OidcSettings | null {
  const signUp = signUpOf(env.SIGN_UP);
  const issuer = textOf(env.OIDC_ISSUER);
  const clientId = textOf(env.OIDC_CLIENT_ID);
  const clientSecret = textOf(env.OIDC_CLIENT_SECRET);
  // A deployment where one of them is missing does not start (deployment.ts).
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return {
    issuer: issuerOf(issuer),
    clientId,
    clientSecret,
    domains: domainsOf(env.OIDC_ALLOWED_DOMAINS),
    groupsClaim: textOf(env.OIDC_GROUPS_CLAIM),
    signUp,
  };
}

const known = new WeakMap<OidcEnv, OidcSettings | null>();

/** The same, parsed once for each environment. */
export function oidcOf(env: OidcEnv): OidcSettings | null {
  let settings = known.get(env);
  if (settings === undefined) known.set(env, (settings = oidcSettingsOf(env)));
  return settings;
}

function textOf(setting: string | undefined): string | null {
  const text = setting?.trim() ?? "";
  return text === "" ? null : text;
}

function signUpOf(setting: string | undefined): SignUp {
  const text = textOf(setting)?.toLowerCase() ?? "invited";
  if (text === "open" || text === "invited") return text;
  throw unusable("SIGN_UP", setting, "use open or invited");
}

/** Without TLS anybody on the way could sign in as anybody; on this machine nobody is on the way. */
function issuerOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const secure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url === undefined || !secure || url.search !== "" || url.hash !== "")
    throw unusable("OIDC_ISSUER", text, "use an https address like https://login.example.com");
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function domainsOf(setting: string | undefined): ReadonlySet<string> | null {
  const text = textOf(setting);
  if (text === null) return null;
  const domains = text.split(",").map((part) => part.trim().toLowerCase().replace(/^@/, ""));
  for (const domain of domains) {
    if (!/^[\da-z-]+(\.[\da-z-]+)*$/.test(domain))
      throw unusable("OIDC_ALLOWED_DOMAINS", setting, "use comma-separated domains");
  }
  return new Set(domains);
}

function unusable(name: string, text: string | undefined, hint: string): SettingsError {
  return new SettingsError(`The setting ${name} can't be ${JSON.stringify(text)}: ${hint}.`);
}
