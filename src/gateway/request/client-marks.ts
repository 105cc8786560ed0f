/** What a client says of its request: in headers, and in its body by the headers' names. */
import type { HeaderReader } from "../../lib/header-reader.ts";

/**
 * One reader of both. The body goes first: it is the request's own, while the headers of a connection that carries many
 * requests are those of its first.
 */
export function clientMarks(
  headers: HeaderReader,
  marks: Readonly<Record<string, string>> | undefined,
): HeaderReader {
  if (marks === undefined) return headers;
  return {
    get: (name) => (Object.hasOwn(marks, name) ? (marks[name] ?? null) : headers.get(name)),
  };
}
