/** The shape of the output that a chat request asks for. */
import type { OutputShape } from "../../../core/request.ts";
import { asObject, asString, type JsonValue } from "../../../lib/json.ts";
import { noteUnknownMembers, within, type Position } from "../../../translation/unsupported.ts";

const plainMembers = new Set(["type"]);
const shapeMembers = new Set(["name", "description", "schema", "strict"]);
const flatShapeMembers = new Set(["type", ...shapeMembers]);
const shapeNestingMembers = new Set(["type", "json_schema"]);

/** `response_format`; undefined for plain text. */
export function readOutputShape(
  value: JsonValue | undefined,
  position: Position,
): OutputShape | undefined {
  const format = asObject(value);
  if (format?.["type"] !== "json_schema") {
    noteUnknownMembers(format, plainMembers, position);
    return format?.["type"] === "json_object" ? { type: "json" } : undefined;
  }
  const nested = asObject(format["json_schema"]);
  noteUnknownMembers(format, nested ? shapeNestingMembers : flatShapeMembers, position);
  noteUnknownMembers(nested, shapeMembers, within(position, "json_schema"));
  const shape = nested ?? format;
  const [name, description] = [asString(shape["name"]), asString(shape["description"])];
  const strict = shape["strict"];
  return {
    type: "schema",
    schema: asObject(shape["schema"]) ?? {},
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(typeof strict === "boolean" && { strict }),
  };
}
