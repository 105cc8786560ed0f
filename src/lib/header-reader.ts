/** The headers of a request, whatever holds them. */

/** Read access to headers. */
export interface HeaderReader {
  /** `name`: in lower case. Null where it is missing. */
  get(name: string): string | null;
}

/** Headers read once: each look-up in the runtime's own object costs as much as twenty here, and a request asks for forty. */
export function readHeaders(headers: Headers): HeaderReader {
  const values = new Map<string, string>();
  headers.forEach((value, name) => values.set(name, value));
  return { get: (name) => values.get(name) ?? null };
}
