/** Removes credentials from texts that providers wrote, in any encoding in which they come back. */
import type { Failure } from "../../core/failure.ts";
import { isObject, parseJson } from "../../lib/json.ts";

const mask = "***";
/** Shorter texts are no secrets, and removing them would damage ordinary text. */
const shortest = 4;

const memory = new Map<string, readonly string[]>();

/** `text` without the secrets: plain, base64 in any position, percent-encoded, JSON-escaped, HTML-escaped, hexadecimal. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  if (text === "") return text;
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < shortest) continue;
    for (const form of formsOf(secret)) {
      if (masked.includes(form)) masked = masked.replaceAll(form, mask);
    }
  }
  return masked;
}

/** The failure without secrets in its texts. */
export function maskFailure(failure: Failure, secrets: readonly string[]): Failure {
  if (secrets.length === 0) return failure;
  const { type, code, details, ...rest } = failure;
  const told = details && maskDetails(details, secrets);
  return {
    ...rest,
    message: maskSecrets(failure.message, secrets),
    ...(type !== undefined && { type: maskSecrets(type, secrets) }),
    ...(code !== undefined && { code: maskSecrets(code, secrets) }),
    ...(told && { details: told }),
  };
}

/** Undefined where a secret reaches beyond one text. */
function maskDetails(
  details: NonNullable<Failure["details"]>,
  secrets: readonly string[],
): Failure["details"] {
  const masked = parseJson(maskSecrets(JSON.stringify(details), secrets));
  return isObject(masked) || Array.isArray(masked) ? masked : undefined;
}

/** Longest first, so that no form is cut by a shorter one. */
function formsOf(secret: string): readonly string[] {
  let forms = memory.get(secret);
  if (forms === undefined) {
    const all = new Set([
      secret,
      ...escapedForms(secret),
      ...hexForms(secret),
      ...base64Forms(secret),
    ]);
    forms = [...all]
      .filter((form) => form.length >= shortest)
      .toSorted((a, b) => b.length - a.length);
    if (memory.size >= 64) memory.clear();
    memory.set(secret, forms);
  }
  return forms;
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const component = encodeURIComponent(secret.toWellFormed());
  const everyUnit = (write: (code: number) => string): string =>
    Array.from({ length: secret.length }, (_, at) => write(secret.charCodeAt(at))).join("");
  const hex4 = (code: number): string => code.toString(16).padStart(4, "0");
  const unicode = everyUnit((code) => `\\u${hex4(code)}`);
  const html = secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const named = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  return [
    json,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    component,
    component.replace(/%[0-9A-F]{2}/g, (part) => part.toLowerCase()),
    encodeURI(secret.toWellFormed()),
    encodeURIComponent(component),
    component.replaceAll("%20", "+"),
    unicode,
    everyUnit((code) => `\\u${hex4(code).toUpperCase()}`),
    html,
    named,
    everyUnit((code) => `&#${code};`),
    everyUnit((code) => `&#x${code.toString(16)};`),
  ];
}

function hexForms(secret: string): string[] {
  const pairs = Array.from(new TextEncoder().encode(secret), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return ["", " ", ":", "%", "\\x"].flatMap((mark) => {
    const text = pairs
      .map((pair) => (mark === "%" || mark === "\\x" ? mark + pair : pair))
      .join(mark === " " || mark === ":" ? mark : "");
    const upper = pairs.map((pair) =>
      mark === "%" || mark === "\\x" ? mark + pair.toUpperCase() : pair.toUpperCase(),
    );
    return [text, upper.join(mark === " " || mark === ":" ? mark : "")];
  });
}

/**
 * Base64 of a longer text that holds the secret depends on where the secret begins, modulo three; the
 * characters that neighbours have a part in are left out.
 */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms: string[] = [];
  for (const shift of [0, 1, 2]) {
    let binary = "\0".repeat(shift);
    for (const byte of bytes) binary += String.fromCharCode(byte);
    const text = btoa(binary);
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    const sure = text.slice(first, last);
    // Fewer than eight characters are too common a sequence to take out.
    if (sure.length >= 8) forms.push(sure, sure.replaceAll("+", "-").replaceAll("/", "_"));
  }
  const whole = btoa(String.fromCharCode(...bytes));
  forms.push(whole, whole.replaceAll("=", ""), whole.replaceAll("+", "-").replaceAll("/", "_"));
  return forms;
}
