/** The shape of the output that a Messages request asks for. */
import type { OutputShape } from "../../../core/request.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";

const formatKeys = new Set(["type", "schema"]);

/** `output_config.format`, or the older `output_format`. */
export function readOutputShape(
  body: JsonObject,
  context: RequestReadContext,
): { output?: OutputShape } {
  const config = body["output_config"];
  const current = isObject(config) ? config["format"] : undefined;
  const format: JsonValue | undefined = current ?? body["output_format"];
  if (!isObject(format)) return {};
  const path = isObject(current) ? "output_config.format" : "output_format";
  if (!isObject(format["schema"])) {
    context.unsupported.add(path);
    return {};
  }
  noteUnknown(format, { path, known: formatKeys }, context);
  return { output: { type: "schema", schema: format["schema"], strict: true } };
}
