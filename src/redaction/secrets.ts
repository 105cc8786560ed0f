/**
 * Finds keys, tokens and passwords. Every pattern here is linear: it begins with a fixed text, and what may be long is
 * one class that nothing behind it can give back.
 */
import type { RedactedSpan } from "./spans.ts";

/** A pattern, and texts of which what it finds holds one: without them it is not looked for. */
interface MarkedPattern {
  readonly marks: readonly string[];
  readonly pattern: RegExp;
}

/** How secrets of known makers begin, what they consist of, and their shortest length; before them their marks. */
const known: readonly MarkedPattern[] = (
  [
    ["gw_ gwa_", "gwa?_[\\w-]{20,}"],
    ["sk-", "sk-[\\w-]{16,}"],
    ["AIza", "AIza[\\w-]{30,}"],
    ["xai-", "xai-\\w{20,}"],
    ["gsk_", "gsk_\\w{20,}"],
    ["ghp_ gho_ ghu_ ghs_ ghr_", "gh[pousr]_\\w{20,}"],
    ["github_pat_", "github_pat_\\w{20,}"],
    ["glpat-", "glpat-[\\w-]{16,}"],
    ["xox", "xox[abeoprs]-[\\w-]{10,}"],
    ["hf_", "hf_\\w{20,}"],
    ["r8_", "r8_\\w{20,}"],
    ["npm_", "npm_\\w{30,}"],
    ["pplx-", "pplx-\\w{20,}"],
    ["k_live_ k_test_", "[rsp]k_(?:live|test)_\\w{10,}"],
    ["GOCSPX-", "GOCSPX-[\\w-]{16,}"],
    ["pypi-", "pypi-[\\w-]{16,}"],
    ["_v1_", "do[opr]_v1_\\w{20,}"],
    ["gldt- glrt- glptt- glcbt- glft- glsoat-", "gl(?:dt|rt|ptt|cbt|ft|soat)-[\\w-]{16,}"],
    ["hvs. hvb. hvr. dp.", "(?:hv[sbr]|dp\\.(?:pt|st|ct|sa))\\.[\\w-]{20,}"],
    ["dapi", "dapi[0-9a-f]{32}"],
    ["shp", "shp(?:at|ca|pa|ss)_\\w{20,}"],
    ["lin_api_", "lin_api_\\w{20,}"],
    ["nvapi-", "nvapi-[\\w-]{20,}"],
    ["fw_", "fw_\\w{20,}"],
    ["AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[A-Z0-9]{20,}"],
    [":AA", "\\d{8,10}:AA[\\w-]{30,}"],
    ["AKIA ASIA", "(?:AKIA|ASIA)[A-Z0-9]{16}"],
    ["whsec_", "whsec_[A-Za-z0-9+/=_-]{16,}"],
    ["ya29. SG.", "(?:ya29|SG)\\.[\\w.-]{20,}"],
    // Base64 of a JSON object's beginning: tokens that are signed or encrypted.
    ["eyJ", "eyJ[\\w-]{10,}\\.[\\w.-]{10,}"],
  ] as const
).map(([marks, source]) => ({
  marks: marks.split(" "),
  pattern: new RegExp(`(?<![A-Za-z0-9_])(?:${source})`, "g"),
}));

const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=:,-]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$|(?=[^\sA-Za-z0-9+/=:,-]))/g;

/** `user:password@` of an address. */
const inAddress = /:\/\/[^\s:/@"'`[\]\\]{0,64}:([^\s/"'`[\]\\]{1,256})(?=@)/g;

/** What stands whole behind a fixed text: addresses of webhooks, signatures of addresses, cookies, logins of commands. */
const behind: readonly MarkedPattern[] = [
  {
    marks: ["hooks.slack.com/"],
    pattern: /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{20,}/gi,
  },
  {
    marks: ["/api/webhooks/"],
    pattern: /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d{10,24}\/[\w-]{20,}/gi,
  },
  {
    marks: ["sig=", "x-amz-signature=", "x-amz-security-token=", "x-goog-signature="],
    pattern:
      /(?<=[?&](?:sig|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=)[\w%+/=-]{16,}/gi,
  },
  {
    marks: ["cookie"],
    pattern: /(?<=\bcookie["']?: {0,4}["']?)[\w.-]{1,64}=[^\r\n"'`[\]\\]{6,}/gi,
  },
  {
    marks: ["-u ", "-u=", "--user"],
    pattern: /(?<=(?<![\w-])(?:-u|--user)[ =]["']?[\w.@-]{1,64}:)[^\s"'`[\]\\]{6,}/g,
  },
  {
    marks: ["--"],
    pattern:
      /(?<=(?<![\w-])--[\w-]{0,20}(?:password|passwd|token|secret|key) ["']?)(?=[^\s"'`[\]\\]{0,63}\d)[^\s"'`[\]\\]{6,}/gi,
  },
];

/** Where a value ends that may be a secret. */
const value = /[^\s"'`,;&<>(){}[\]|\\]+/y;
const valueStart = "[^\\s\"'`,;&<>(){}[\\]|\\\\]";
/** Of a long value the beginning is judged. */
const judged = 64;

/**
 * A name that says that its value is a secret, and the value's beginning. Looked ahead, so that none hides another.
 * Groups: a password's name; what stands before the value; the rest of the name; a scheme; a quotation mark; the value.
 */
const named = new RegExp(
  "(?:(pass(?:word|wd|phrase|code)|pwd)|secret|(?:api|access|account|private|signing|encryption)[_-]?key|token|credential" +
    "|authorization)" +
    "(?=(([\\w-]{0,20})[\"'`]?\\s{0,8}(?:=>|[:=]=?)\\s{0,8}((?:basic|bearer|token)\\s{1,4})?([\"'`]?))" +
    `(${valueStart}{6,${judged}}))`,
  "gi",
);
/** One of these begins every such name. */
const namesOfSecrets = ["pass", "pwd", "secret", "key", "token", "credential", "authorization"];
const bearer = new RegExp(
  `(?<![A-Za-z0-9\\]])(bearer\\s{1,4})(?=(${valueStart}{12,${judged}}))`,
  "gi",
);

/** What such a name ends with where its value is none: `token_id`, `secretName`. */
const harmlessEnd =
  /(?:id|ids|count|limit|type|name|url|uri|path|file|at|expiry|expires|length|size|usage|version)$/i;
/** `password_hash` and `tokenValue`, but neither `tokenizer` nor `secretary`. */
const ownWord = /^(?:$|s?$|[_\-A-Z0-9])/;

const shortestToken = 12;

/** The secrets of a text. Most texts hold none and no mark of one, and a mark is found far sooner than a pattern. */
export function findSecrets(text: string): RedactedSpan[] {
  const lower = text.toLowerCase();
  return [
    ...markedIn(text, known).flatMap((pattern) =>
      matchesOf(pattern, text).filter((span) => isMixed(text, span)),
    ),
    ...(text.includes("PRIVATE KEY") ? matchesOf(privateKey, text) : []),
    ...markedIn(lower, behind).flatMap((pattern) => matchesOf(pattern, text)),
    ...(text.includes("://") ? findPasswordsOfAddresses(text) : []),
    ...(hasOneOf(lower, namesOfSecrets) ? findNamed(text) : []),
    ...(lower.includes("bearer") ? findBearers(text) : []),
  ];
}

function markedIn(text: string, patterns: readonly MarkedPattern[]): RegExp[] {
  const found: RegExp[] = [];
  for (const { marks, pattern } of patterns) if (hasOneOf(text, marks)) found.push(pattern);
  return found;
}

function hasOneOf(text: string, marks: readonly string[]): boolean {
  return marks.some((mark) => text.includes(mark));
}

function findPasswordsOfAddresses(text: string): RedactedSpan[] {
  return [...text.matchAll(inAddress)].map(({ index, 0: all, 1: password = "" }) =>
    secretSpan(index + all.length - password.length, index + all.length),
  );
}

function matchesOf(pattern: RegExp, text: string): RedactedSpan[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) =>
    secretSpan(index, index + found.length),
  );
}

function secretSpan(from: number, to: number): RedactedSpan {
  return { kind: "secret", from, to };
}

/** Keys have digits or capitals somewhere; `sk-learn-something-long` is a name. */
function isMixed(text: string, { from, to }: RedactedSpan): boolean {
  return /[A-Z0-9]/.test(text.slice(from, Math.min(to, from + judged)).replace(/^(?:r8_|eyJ)/, ""));
}

/** Values behind a name. */
function findNamed(text: string): RedactedSpan[] {
  const spans: RedactedSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(named)) {
    const { index, 0: name, 1: password, 2: before = "", 3: rest = "", 4: scheme } = match;
    const from = index + name.length + before.length;
    // The values of several names may end at one place, and are then one.
    if (from < done || !ownWord.test(rest) || harmlessEnd.test(rest)) continue;
    const { 5: quote = "", 6: start = "" } = match;
    const isSecret =
      password !== undefined ? isPassword : scheme !== undefined ? isCredential : isToken;
    if (isCode(start) || !isSecret(start, quote !== "")) continue;
    done = valueEnd(text, from);
    if (!isCalled(text, done)) spans.push(secretSpan(from, done));
  }
  return spans;
}

/** `Bearer` with no header's name before it. */
function findBearers(text: string): RedactedSpan[] {
  return [...text.matchAll(bearer)]
    .filter(({ 2: start = "" }) => !isCode(start) && isToken(start, false))
    .map(({ index, 0: word }) =>
      secretSpan(index + word.length, valueEnd(text, index + word.length)),
    );
}

function valueEnd(text: string, from: number): number {
  value.lastIndex = from;
  return value.test(text) ? value.lastIndex : from;
}

function isPassword(start: string, isQuoted: boolean): boolean {
  return /\d/.test(start) || (isQuoted && /[!#%^*+?~@]/.test(start));
}

/** What stands behind a scheme of authorization is hardly a word. */
function isCredential(start: string): boolean {
  return start.length >= shortestToken && /[A-Z0-9]/.test(start);
}

function isToken(start: string, isQuoted: boolean): boolean {
  if (start.length < shortestToken || !/\d/.test(start) || !/[A-Za-z]/.test(start)) return false;
  // A name with a number at its end, and a time.
  if ((!isQuoted && /^[A-Za-z_]+\d{0,2}$/.test(start)) || /^\d{4}-\d\d-\d\d/.test(start))
    return false;
  return new Set(start.slice(0, 24)).size >= 6;
}

/** A variable, or a member of an object. */
function isCode(start: string): boolean {
  return start.startsWith("$") || /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[!?]?$/.test(start);
}

/** A function's name, or a list's. */
function isCalled(text: string, end: number): boolean {
  return /[([{]/.test(text.charAt(end));
}
