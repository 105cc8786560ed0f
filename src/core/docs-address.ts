/** Where the documentation that this gateway serves is. */
import type { Problem } from "./problem.ts";

/**
 * The path of a page of the documentation, named as its file in `docs/` without `.md`; the index where it is empty.
 * `docsPath("errors", "m005")` is `/docs/errors#m005`.
 */
export function docsPath(page: string, anchor?: string): string {
  return `/docs/${page}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** Values of `error.code` that have a section of their own: they mean something else than others of their M-code. */
export const explainedCodes = [
  "not_configured",
  "admin_auth",
  "forbidden",
  "conflict",
  "signature",
  "default_workspace",
  "newer_state",
] as const;

/** The path at which a problem of the gateway's own is explained: `/docs/errors#m005`. */
export function explanationPath({ marker, code }: Pick<Problem, "marker" | "code">): string {
  return docsPath("errors", explainedCodes.find((own) => own === code) ?? marker.toLowerCase());
}

/** Characters of an origin; a client may say that it asked for any host. */
const longestOrigin = 300;

/** The text with the address of its explanation, except where clients know the text itself. */
export function withExplanation(text: string, problem: Problem, origin: string): string {
  if (problem.exact) return text;
  const end = /[.!?]$/.test(text) ? "" : ".";
  const place = origin.length > longestOrigin ? "" : origin;
  return `${text}${end} See ${place}${explanationPath(problem)}`;
}
