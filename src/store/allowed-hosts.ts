/**
 * Under which hosts browsers may open the pages. A foreign site can let its own name point at this gateway (DNS
 * rebinding) and would then be of one origin with it; such an attack needs a name, so addresses are always allowed.
 */
import { type Env, SettingsError } from "./env.ts";

type HostSettings = Pick<Env, "ALLOWED_HOSTS" | "PUBLIC_URL" | "LISTEN_HOST" | "BOOT_ID">;

/** What the settings allow: every name, or names and `*.` patterns. */
export type AllowedHosts = "all" | ReadonlySet<string>;

/** Always this machine, whoever resolves them. */
const loopbackNames = ["localhost", "*.localhost"];

/**
 * What is allowed besides addresses. `ALLOWED_HOSTS` adds to what is known by itself: loopback, the host that the
 * launcher listens on, that of `PUBLIC_URL`. On the platform, which routes by host itself, everything is while the
 * setting is empty. Throws SettingsError.
 */
export function allowedHostsOf(env: HostSettings): AllowedHosts {
  const listed = listedHosts(env.ALLOWED_HOSTS ?? "");
  const own = [publicHost(env.PUBLIC_URL ?? ""), nameOf(env.LISTEN_HOST ?? "")];
  const onPlatform = env.BOOT_ID === undefined;
  if (listed.includes("*") || (onPlatform && listed.length === 0)) return "all";
  return new Set([...loopbackNames, ...listed, ...own.filter((name) => name !== undefined)]);
}

/** Whether pages may be asked for under this `Host`. */
export function isAllowedHost(host: string, allowed: AllowedHosts): boolean {
  if (allowed === "all" || isAddress(host)) return true;
  const name = nameOf(host);
  if (name === undefined) return false;
  if (allowed.has(name)) return true;
  const parents = [...name.matchAll(/\./g)].map(({ index }) => name.slice(index));
  return parents.some((parent) => allowed.has(`*${parent}`));
}

const known = new WeakMap<HostSettings, AllowedHosts>();

/** The same from the bindings, worked out once. Throws SettingsError. */
export function allowsHost(env: HostSettings, host: string): boolean {
  let allowed = known.get(env);
  if (allowed === undefined) known.set(env, (allowed = allowedHostsOf(env)));
  return isAllowedHost(host, allowed);
}

function listedHosts(setting: string): string[] {
  const entries = setting
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return entries.flatMap((entry) => {
    if (entry === "*" || isAddress(entry)) return [entry];
    const name = nameOf(entry.replace(/^\*\./, ""));
    if (name === undefined)
      throw unusable("ALLOWED_HOSTS", entry, "use comma-separated host names");
    return [entry.startsWith("*.") ? `*.${name}` : name];
  });
}

function publicHost(setting: string): string | undefined {
  if (setting === "") return undefined;
  const url = URL.canParse(setting) ? new URL(setting) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw unusable("PUBLIC_URL", setting, "use an address like https://gateway.example.com");
  return nameOf(url.host);
}

function unusable(setting: string, text: string, hint: string): SettingsError {
  return new SettingsError(`The setting ${setting} can't be ${JSON.stringify(text)}: ${hint}.`);
}

/** IPv4 with or without a port, IPv6 in brackets or bare. */
function isAddress(host: string): boolean {
  return (
    /^\d{1,3}(\.\d{1,3}){3}(:\d*)?$/.test(host) ||
    /^(\[[\da-f:.]+\](:\d*)?|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*)$/i.test(host)
  );
}

/** The name in lower case, without port and the root's dot; undefined when it is none. */
function nameOf(host: string): string | undefined {
  const name = host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  return /^[\da-z_-]+(\.[\da-z_-]+)*$/.test(name) && !isAddress(name) ? name : undefined;
}
