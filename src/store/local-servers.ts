/** Where local model servers are looked for, besides this machine. */
import { type Env, SettingsError } from "./env.ts";

/** The host that the setting names; undefined where it names none. Throws SettingsError. */
export function localServersHostOf({
  LOCAL_SERVERS_HOST,
}: Pick<Env, "LOCAL_SERVERS_HOST">): string | undefined {
  const host = LOCAL_SERVERS_HOST?.trim() ?? "";
  if (host === "") return undefined;
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (url !== undefined && url.href === `http://${host.toLowerCase()}/` && url.port === "")
    return url.host;
  throw new SettingsError(
    `The setting LOCAL_SERVERS_HOST can't be ${JSON.stringify(host)}: use a host name or an IP address, without a port.`,
  );
}
