/** The shape of the output that a Responses request asks for. */
import { invalid } from "../../../core/problem.ts";
import type { OutputShape } from "../../../core/request.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { noteUnknownMembers, type Position } from "../../../translation/unsupported.ts";

const formatMembers = new Set(["type", "name", "schema", "strict", "description"]);

/** `text.format`; undefined for plain text. */
export function readOutputShape(
  text: JsonObject,
  unsupported: Set<string>,
): OutputShape | undefined {
  const format = asObject(text["format"]);
  if (!format) return undefined;
  const position: Position = { path: "text.format", unsupported };
  noteUnknownMembers(format, formatMembers, position);
  switch (format["type"]) {
    case "json_object":
      return { type: "json" };
    case "json_schema":
      return readSchema(format);
    case "text":
    case undefined:
      return undefined;
    default:
      throw invalid("text.format.type", "must be text, json_object or json_schema");
  }
}

function readSchema(format: JsonObject): OutputShape {
  const schema = asObject(format["schema"]);
  if (!schema) throw invalid("text.format.schema", "must be an object");
  const [name, description] = [asString(format["name"]), asString(format["description"])];
  const strict = format["strict"];
  return {
    type: "schema",
    schema,
    ...(name !== undefined && { name }),
    ...(typeof strict === "boolean" && { strict }),
    ...(description !== undefined && { description }),
  };
}
