/** The shape of the output, as Gemini's response type and schema. */
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";
import { schemaBudget, subsetSchema } from "./write-schema.ts";

export interface WrittenOutputShape {
  /** Members of `generationConfig`. */
  readonly config: JsonObject;
  /** What no member can ask for, in words. */
  readonly instruction?: string;
}

/** `hasFunctions`: older models take no functions beside JSON output and are asked for it in words. */
export function writeOutputShape(hasFunctions: boolean, context: WriteContext): WrittenOutputShape {
  const { output } = context.request;
  const { traits } = context.target;
  if (!output) return { config: {} };
  if (hasFunctions && !traits.mixedTools) {
    const shape =
      output.type === "schema"
        ? ` that matches this JSON schema: ${JSON.stringify(output.schema)}`
        : "";
    return {
      config: {},
      instruction: `When you give your final answer, answer with nothing but one JSON value${shape}`,
    };
  }
  const json = { responseMimeType: "application/json" };
  if (output.type === "json") return { config: json };
  if (!traits.schemaOutput) {
    noteUnsupported("output", context);
    return { config: json };
  }
  const { description } = output;
  const schema = { ...(description !== undefined && { description }), ...output.schema };
  if (traits.jsonSchemaTools) return { config: { ...json, responseJsonSchema: schema } };
  const { subset, cut } = subsetSchema(schema, schemaBudget());
  if (cut) noteUnsupported("output", context);
  return { config: { ...json, ...(subset && { responseSchema: subset }) } };
}
