/** Finds e-mail addresses. */
import type { RedactedSpan } from "./spans.ts";

const domain = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,24}/uy;
/** Addresses of repositories, not of people. */
const machines: ReadonlySet<string> = new Set(["git", "hg"]);

/** The addresses of a text. Looks around each `@`, so that no character is looked at often. */
export function findEmails(text: string): RedactedSpan[] {
  const spans: RedactedSpan[] = [];
  for (let sign = text.indexOf("@"); sign !== -1; sign = text.indexOf("@", sign + 1)) {
    const from = localStart(text, sign);
    domain.lastIndex = sign + 1;
    if (from === sign || machines.has(text.slice(from, sign)) || !domain.test(text)) continue;
    spans.push({ kind: "email", from, to: domain.lastIndex });
  }
  return spans;
}

function localStart(text: string, sign: number): number {
  let from = sign;
  while (from > 0 && isLocal(text.charCodeAt(from - 1))) from -= 1;
  // A sentence's dots and a list's dashes are not part of it.
  while (from < sign && ".-".includes(text.charAt(from))) from += 1;
  return from;
}

/** Letters of any language count: an address must not be found by halves. */
function isLocal(code: number): boolean {
  if (code > 127) return /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
  return /[\w.%+-]/.test(String.fromCharCode(code));
}
