/**
 * Finds keys, tokens and passwords. Every pattern here is linear: it begins with a fixed text, and what may be long is
 * one class that nothing behind it can give back.
 */
import type { Span } from "./spans.ts";

/** How secrets of known makers begin, what they consist of, and their shortest length. */
const known: readonly RegExp[] = [
  [
    "gwa?_[\\w-]{20,}",
    "sk-[\\w-]{16,}",
    "AIza[\\w-]{30,}",
    "xai-\\w{20,}",
    "gsk_\\w{20,}",
    "gh[pousr]_\\w{20,}",
    "github_pat_\\w{20,}",
    "glpat-[\\w-]{16,}",
    "xox[abeoprs]-[\\w-]{10,}",
    "hf_\\w{20,}",
    "r8_\\w{20,}",
    "npm_\\w{30,}",
    "pplx-\\w{20,}",
    "[rsp]k_(?:live|test)_\\w{10,}",
    "GOCSPX-[\\w-]{16,}",
    "(?:AKIA|ASIA)[A-Z0-9]{16}",
  ].join("|"),
  // Those whose characters are others.
  "whsec_[A-Za-z0-9+/=_-]{16,}",
  "(?:ya29|SG)\\.[\\w.-]{20,}",
  // Base64 of a JSON object's beginning: tokens that are signed or encrypted.
  "eyJ[\\w-]{10,}\\.[\\w.-]{10,}",
].map((pattern) => new RegExp(`(?<![A-Za-z0-9_])(?:${pattern})`, "g"));

const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\sA-Za-z0-9+/=:,-]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$|(?=[^\sA-Za-z0-9+/=:,-]))/g;

/** `user:password@` of an address. */
const inAddress = /:\/\/[^\s:/@"'`[\]\\]{0,64}:([^\s/@"'`[\]\\]{1,256})(?=@)/g;

/** A name that says that its value is a secret, up to where the value begins. */
const named =
  /(pass(?:word|wd|phrase|code)|pwd)|secret|(?:api|access|private|signing|encryption)[_-]?key|token|credential|authorization/gi;
const assigned =
  /([\w-]{0,20})["'`]?\s{0,8}(?:=>|[:=]=?)\s{0,8}(?:(?:basic|bearer|token)\s{1,4})?(["'`]?)/iy;
const bearer = /(?<![A-Za-z0-9])bearer\s{1,4}/gi;
const value = /[^\s"'`,;&<>(){}[\]|\\]+/y;

/** What such a name ends with where its value is none: `token_id`, `secretName`. */
const harmlessEnd =
  /(?:id|ids|count|limit|type|name|url|uri|path|file|at|expiry|expires|length|size|usage|version)$/i;
/** `password_hash` and `tokenValue`, but neither `tokenizer` nor `secretary`. */
const ownWord = /^(?:$|s?$|[_\-A-Z0-9])/;

const shortestPassword = 6;
const shortestToken = 12;
/** Of a long value the beginning is judged. */
const judged = 64;

/** The secrets of a text. */
export function findSecrets(text: string): Span[] {
  return [
    ...known.flatMap((pattern) => matchesOf(pattern, text).filter((span) => isMixed(text, span))),
    ...matchesOf(privateKey, text),
    ...[...text.matchAll(inAddress)].map(({ index, 0: all, 1: password = "" }) =>
      secretSpan(index + all.length - password.length, index + all.length),
    ),
    ...findNamed(text),
    ...findBearers(text),
  ];
}

function matchesOf(pattern: RegExp, text: string): Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) =>
    secretSpan(index, index + found.length),
  );
}

function secretSpan(from: number, to: number): Span {
  return { kind: "secret", from, to };
}

/** Keys have digits or capitals somewhere; `sk-learn-something-long` is a name. */
function isMixed(text: string, { from, to }: Span): boolean {
  return /[A-Z0-9]/.test(text.slice(from, Math.min(to, from + judged)).replace(/^(?:r8_|eyJ)/, ""));
}

/** Values that stand behind a name. Each name is looked at by itself: none hides another. */
function findNamed(text: string): Span[] {
  const values = new ValueEnds(text);
  return [...text.matchAll(named)].flatMap(({ index, 0: name, 1: password }) => {
    assigned.lastIndex = index + name.length;
    const [all, rest = "", quote = ""] = assigned.exec(text) ?? [];
    if (all === undefined || !ownWord.test(rest) || harmlessEnd.test(rest)) return [];
    const span = values.spanFrom(index + name.length + all.length);
    const isSecret = password === undefined ? isToken : isPassword;
    return isSecret(text, span, quote !== "") ? [span] : [];
  });
}

function findBearers(text: string): Span[] {
  const values = new ValueEnds(text);
  return [...text.matchAll(bearer)]
    .map(({ index, 0: word }) => values.spanFrom(index + word.length))
    .filter((span) => isToken(text, span, false));
}

/** Where values end. Many names before one value ask for the same end. */
class ValueEnds {
  readonly #text: string;
  #from = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  spanFrom(from: number): Span {
    if (from < this.#from || from >= this.#end) {
      value.lastIndex = from;
      this.#from = from;
      this.#end = value.test(this.#text) ? value.lastIndex : from;
    }
    return secretSpan(from, this.#end);
  }
}

function isPassword(text: string, { from, to }: Span, isQuoted: boolean): boolean {
  const start = text.slice(from, Math.min(to, from + judged));
  if (to - from < shortestPassword || isCode(text, start, to)) return false;
  return /\d/.test(start) || (isQuoted && /[!#%^*+?~@]/.test(start));
}

function isToken(text: string, { from, to }: Span, isQuoted: boolean): boolean {
  const start = text.slice(from, Math.min(to, from + judged));
  if (to - from < shortestToken || isCode(text, start, to)) return false;
  // A name with a number at its end, and a time.
  if ((!isQuoted && /^[A-Za-z_]+\d{0,2}$/.test(start)) || /^\d{4}-\d\d-\d\d/.test(start))
    return false;
  return /\d/.test(start) && /[A-Za-z]/.test(start) && new Set(start.slice(0, 24)).size >= 6;
}

/** A call, a variable, or a member of an object. */
function isCode(text: string, start: string, to: number): boolean {
  const next = text.charAt(to);
  return (
    next === "(" ||
    next === "[" ||
    next === "{" ||
    start.startsWith("$") ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[!?]?$/.test(start)
  );
}
