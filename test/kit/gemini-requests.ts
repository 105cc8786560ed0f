/** Requests written for Gemini in tests, and what they are made of. */
import type { Traits } from "../../src/core/model.ts";
import { Problem } from "../../src/core/problem.ts";
import type { MediaBlock, ModelRequest } from "../../src/core/request.ts";
import { gemini } from "../../src/formats/gemini/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { target, turn } from "./neutral.ts";

export const write = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}) =>
  gemini.provider.writeRequest(turn(members), target("gemini", traits));
export const body = (members: Partial<ModelRequest>, traits: Partial<Traits> = {}): JsonObject =>
  write(members, traits).body;

export function refusal(members: Partial<ModelRequest>, traits: Partial<Traits> = {}): string {
  try {
    write(members, traits);
  } catch (error) {
    if (error instanceof Problem && error.marker === "M300") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

export const schema = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
export const tool = (name: string) => ({
  kind: "function" as const,
  name,
  schema,
  path: "tools[]",
});
export const image = (source: MediaBlock["source"]): MediaBlock => ({
  kind: "media",
  media: "image",
  source,
  path: "messages[].content[]",
});
export const png = image({ type: "bytes", mime: "image/png", data: "AAAA" });
