/** The shape of the output, as `text.format` of Responses. */
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

/** A model without schemas is asked for JSON, and the loss is reported. */
export function writeOutputShape(context: WriteContext): JsonObject | undefined {
  const { output, format } = context.request;
  if (!output) return undefined;
  if (output.type === "json") return { type: "json_object" };
  if (!context.target.traits.schemaOutput) {
    noteUnsupported("output", context);
    return { type: "json_object" };
  }
  // Messages knows no unstrict schemas.
  const strict = output.strict ?? (format === "messages" ? true : undefined);
  return {
    type: "json_schema",
    name: schemaName(output.name),
    schema: output.schema,
    ...(strict !== undefined && { strict }),
    ...(output.description !== undefined && { description: output.description }),
  };
}

function schemaName(name: string | undefined): string {
  const clean = (name ?? "").replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 64);
  return clean === "" ? "response" : clean;
}
