/** The shape of the output that a Gemini request asks for. */
import type { OutputShape } from "../../../core/request.ts";
import { asString, isObject } from "../../../lib/json.ts";
import type { Members } from "./read-members.ts";
import { readSchema } from "./read-schema.ts";

/** Members that hold the schema; the first that is there counts. */
const schemaMembers = ["responseJsonSchema", "_responseJsonSchema", "responseSchema"];

/** Members that say the shape. */
export const shapeMembers: readonly string[] = ["responseMimeType", ...schemaMembers];

/** `config`: the `generationConfig`. `unsupported`: where a type that no other format has is listed. */
export function readOutputShape(
  config: Members | undefined,
  unsupported: Set<string>,
): { readonly output?: OutputShape; readonly path?: string } {
  if (!config) return {};
  const mime = asString(config.get("responseMimeType")) ?? "";
  const name = schemaMembers.find((member) => isObject(config.get(member)));
  const schema = name === undefined ? undefined : config.get(name);
  if (name !== undefined && isObject(schema))
    return { output: { type: "schema", schema: readSchema(schema) }, path: config.pathOf(name) };
  const path = config.pathOf("responseMimeType");
  if (mime.startsWith("application/json")) return { output: { type: "json" }, path };
  if (mime !== "" && mime !== "text/plain") unsupported.add(path);
  return {};
}
