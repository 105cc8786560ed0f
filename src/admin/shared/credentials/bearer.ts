/** The token of a request. */

/** What the header `Authorization` carries as a bearer token; empty where it carries none. */
export function bearerToken(header: string | null | undefined): string {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(header ?? "")?.[1] ?? "";
}
