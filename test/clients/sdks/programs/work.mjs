/** The work that every SDK is given: two tools, and the form of a structured answer. */
import { z } from "zod";

export const prompt = "Tell me the weather in both cities and keep it in a note.";
export const instructions = "Work step by step with your tools.";

export const weatherInput = z.object({ city: z.string().describe("Name of the city") });
export const noteInput = z.object({ title: z.string(), lines: z.array(z.string()) });

export const weatherText = "The weather in a city";
export const noteText = "Keeps a note";

export const weather = ({ city }) => `Sunny in ${city}, 21 °C`;
export const note = ({ title, lines }) => `Kept ${title} with ${lines.length} lines`;

export const report = z.object({
  city: z.string(),
  degrees: z.number(),
  tags: z.array(z.string()),
});

/** For SDKs that take a JSON Schema. */
export const schemaOf = (type) => {
  const { $schema: _, ...schema } = z.toJSONSchema(type);
  return schema;
};

/** Runs a call by the name of its tool. */
export const runTool = (name, input) => ({ weather, note })[name](input);

export const question = "What do you know about the weather?";
