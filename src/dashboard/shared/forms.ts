/** Reading forms, and the errors in them. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { boundedBytes } from "../../admin/shared/request-body.ts";

/** The fields of a form, urlencoded as browsers send it. `longest`: in bytes, 2 MB unless set. Throws 413 where it is longer. */
export async function formOf(request: Request, longest?: number): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await boundedBytes(request, longest)));
}

/** A field's trimmed text; empty when it is missing. */
export function field(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? "";
}

/** Why a form was refused, and the field that it belongs to when that is known. */
export interface FieldError {
  field: string | null;
  message: string;
}

/** The result of a change: its value, or why it was refused. */
export type ChangeOutcome<T> = { ok: true; value: T } | { ok: false; error: FieldError };

/** Runs a change. What the administrator can correct comes back as an error; everything else is thrown on. */
export async function tryChange<T>(change: () => Promise<T> | T): Promise<ChangeOutcome<T>> {
  try {
    return { ok: true, value: await change() };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 404) throw error;
    return { ok: false, error: fieldErrorFrom(error.message) };
  }
}

/** Splits a message by its path: `providers[2].base_url: required` is an error of the field `base_url`. */
export function fieldErrorFrom(message: string): FieldError {
  const [, path = "", words = ""] = /^([\w.$[\]"\\/ -]*?): (.*)$/s.exec(message) ?? [];
  const inside = path.replace(/^(?:providers|harnesses)\[\d+\]\.?/, "");
  const name = /^\w+/.exec(inside)?.[0];
  if (name === undefined || name === "body") return { field: null, message };
  return {
    field: name,
    message: inside === name ? sentence(words) : sentence(`${inside} ${words}`),
  };
}

function sentence(words: string): string {
  const text = words.slice(0, 1).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The refusal of a field, or of the whole form when `name` is null. */
export function fieldProblem(name: string | null, message: string): Problem {
  return new Problem(problemCodes.invalidRequest, name === null ? message : `${name}: ${message}`);
}

/** The end that the field `expires_at` says, null where it is empty. The field has no time zone; its label says UTC. */
export function expiryFrom(form: URLSearchParams): string | null {
  const text = field(form, "expires_at");
  if (text === "") return null;
  const time = new Date(`${text}${text.includes("T") ? "Z" : ""}`);
  if (!Number.isFinite(time.getTime())) throw fieldProblem("expires_at", "must be a date and time");
  return time.toISOString();
}

/** A JSON object in a text area; empty text is an empty object. */
export function jsonField(form: URLSearchParams, name: string): Record<string, unknown> {
  const text = field(form, name);
  if (text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fieldProblem(name, 'must be valid JSON, like {"seed": 7}');
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fieldProblem(name, 'must be a JSON object, like {"seed": 7}');
  // An object of JSON's own values.
  return value as Record<string, unknown>;
}

/** A name as an id: `My laptop!` becomes `my-laptop`. `taken` makes it another. */
export function idFrom(name: string, taken: readonly string[], otherwise: string): string {
  const plain = name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48)
    .replace(/-+$/, "");
  const base = plain === "" ? otherwise : plain;
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number += 1) {
    if (!taken.includes(`${base}-${number}`)) return `${base}-${number}`;
  }
}
