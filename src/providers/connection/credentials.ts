/** A provider's credentials, and the headers that every call of it carries. */
import type { Auth } from "../../core/format.ts";
import type { FormatName } from "../../core/format-name.ts";
import { providerFormats } from "../../formats/index.ts";
import { recordFor, trimmed, type Connection } from "./connection.ts";
import { endpointsOf } from "./target.ts";

/** The unsealed secrets of one connection. */
export interface Credentials {
  readonly secret: string | undefined;
  /** The entry's headers that are stored sealed, unsealed. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
}

/** Whether a call would go out without the credential that the provider wants. */
export function lacksCredential(connection: Connection, secret: string | undefined): boolean {
  return secret === undefined && !connection.keyless;
}

const secretsKept = new WeakMap<Credentials, readonly string[]>();

/** Every text that must be masked in what a provider returns. */
export function secretsOf(credentials: Credentials): readonly string[] {
  let secrets = secretsKept.get(credentials);
  if (secrets === undefined) secretsKept.set(credentials, (secrets = findSecrets(credentials)));
  return secrets;
}

function findSecrets({ secret, secretHeaders }: Credentials): readonly string[] {
  const values = Object.values(secretHeaders ?? {});
  return [secret, ...values, ...values.map((value) => value.replace(/^\S+ /, ""))].filter(
    (value): value is string => value !== undefined && value !== "",
  );
}

/** Root address of one format of a connection. */
export function rootOf(connection: Connection, format: FormatName): string {
  const endpoint = endpointsOf(connection).find((candidate) => candidate.format === format);
  return connection.entry.base_url === undefined
    ? trimmed(endpoint?.base ?? connection.baseUrl)
    : connection.baseUrl;
}

/** Headers that identify the gateway to the provider, and the ones that its record and format always carry. */
export function fixedHeaders(
  connection: Connection,
  format: FormatName,
  secret: string | undefined,
): Record<string, string> {
  const record = recordFor(connection);
  const common = providerFormats[format].endpoint;
  const endpoint = endpointsOf(connection).find((candidate) => candidate.format === format);
  const style =
    secret === undefined
      ? undefined
      : record.tokens?.find((token) => secret.startsWith(token.prefix));
  const auth = style?.auth ?? endpoint?.auth ?? common.auth;
  return {
    ...common.headers,
    ...record.headers,
    ...endpoint?.headers,
    ...style?.headers,
    ...(secret !== undefined && authHeader(auth, secret)),
  };
}

function authHeader(auth: Auth, secret: string): Record<string, string> {
  return auth === "bearer" ? { authorization: `Bearer ${secret}` } : { [auth]: secret };
}

/** Never set by an entry: they belong to the connection itself. */
const ownHeaders = new Set([
  "host",
  "content-length",
  "content-type",
  "connection",
  "transfer-encoding",
  "accept-encoding",
]);
/** A header value that is still sealed; the unsealed one comes with the call. */
const sealedMark = "sealed:";
/** Adds the entry's own headers; `opened` holds those that are stored sealed. */
export function addEntryHeaders(
  headers: Headers,
  { entry }: Connection,
  opened?: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries({ ...entry.headers, ...opened })) {
    if (ownHeaders.has(name.toLowerCase()) || value.startsWith(sealedMark)) continue;
    headers.set(name, value);
  }
}
