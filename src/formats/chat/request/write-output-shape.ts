/** The shape of the output, as chat's `response_format`. */
import type { OutputShape } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

/** `response_format`. A server without schemas is asked for JSON, and the loss is reported. */
export function writeOutputShape(context: WriteContext): JsonObject {
  const { output } = context.request;
  if (!output) return {};
  if (output.type === "json") return { response_format: { type: "json_object" } };
  if (context.target.traits.schemaOutput)
    return { response_format: { type: "json_schema", json_schema: shapeOf(output) } };
  noteUnsupported("output", context);
  return { response_format: { type: "json_object" } };
}

function shapeOf(output: Extract<OutputShape, { type: "schema" }>): JsonObject {
  const name = (output.name ?? "output").replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 64);
  return {
    name: name === "" ? "output" : name,
    ...(output.description !== undefined && { description: output.description }),
    schema: output.schema,
    ...(output.strict !== undefined && { strict: output.strict }),
  };
}
