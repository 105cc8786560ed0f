/** Text that chat's requests and answers write in more than one form. */
import { asString, asObject, type JsonValue } from "../../../lib/json.ts";

/** The arguments of a call as JSON text; some clients and servers write the object itself. */
export function argumentText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** The text of a `thinking` part; Mistral's hold text parts of their own. */
export function nestedText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part) => (typeof part === "string" ? part : (asString(asObject(part)?.["text"]) ?? "")))
    .join("");
}
