/** The shape of the output, as `output_config.format` of Messages or in words. */
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";
import { outputSchema } from "./write-schema.ts";

const jsonInstruction =
  "Answer with one JSON object and nothing else: no code fence, no words before or after it.";

export interface WrittenOutputShape {
  /** Member of `output_config`. */
  readonly format?: JsonObject;
  /** What no member can ask for, in words. */
  readonly instruction?: string;
}

export function writeOutputShape(context: WriteContext): WrittenOutputShape {
  const { request, target } = context;
  const { output } = request;
  if (!output) return {};
  if (output.type === "json") return { instruction: jsonInstruction };
  // Answers follow a schema strictly here; a wish for less has no member.
  if (output.strict === false) noteUnsupported("outputStrict", context);
  if (!target.traits.schemaOutput) {
    const schema = JSON.stringify(output.schema);
    return { instruction: `${jsonInstruction} It must match this JSON schema:\n${schema}` };
  }
  const schema = outputSchema(output.schema, output.description);
  return { format: { type: "json_schema", schema } };
}
