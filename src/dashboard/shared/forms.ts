/** Forms as they arrive, and what was wrong with them. */
import { Problem } from "../../core/problem.ts";
import { boundedBytes } from "../../admin/shared/request-body.ts";

/** The fields of a form, urlencoded as browsers send it. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await boundedBytes(request)));
}

/** A field without blanks round it; empty when it is missing. */
export function field(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? "";
}

/** What was refused, and the field that it belongs to when that is known. */
export interface Fault {
  field: string | null;
  message: string;
}

/** What a change gave, or what was wrong with it. */
export type ChangeOutcome<T> = { ok: true; value: T } | { ok: false; fault: Fault };

/** Runs a change. What the administrator can correct comes back as a fault; everything else is thrown on. */
export async function tryChange<T>(change: () => Promise<T> | T): Promise<ChangeOutcome<T>> {
  try {
    return { ok: true, value: await change() };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 404) throw error;
    return { ok: false, fault: faultOf(error.message) };
  }
}

/** `providers[2].base_url: is needed` is a fault of the field `base_url`. */
export function faultOf(message: string): Fault {
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

/** A refusal that belongs to a field of the form; to none with null. */
export function fault(name: string | null, message: string): Problem {
  return new Problem("M300", name === null ? message : `${name}: ${message}`);
}

/** A JSON object in a text area; empty text is an empty object. */
export function jsonField(form: URLSearchParams, name: string): Record<string, unknown> {
  const text = field(form, name);
  if (text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault(name, 'is not JSON. It looks like {"top_k": 40}');
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fault(name, 'must be a JSON object, like {"top_k": 40}');
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
