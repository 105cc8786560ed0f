import { describe, expect, it } from "vitest";
import { schemaBudget, subsetSchema } from "../../src/formats/gemini/request/write-schema.ts";
import type { JsonObject } from "../../src/lib/json.ts";

const subsetOf = (schema: JsonObject) => subsetSchema(schema, schemaBudget()).subset;
const cut = (schema: JsonObject) =>
  subsetOf({ type: "object", properties: { x: schema } })?.["properties"];

describe("JSON Schema cut down for Gemini", () => {
  it("loses keywords, never properties of the same names", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      additionalProperties: false,
      properties: {
        title: { type: "string" },
        const: { type: "string" },
        $ref: { type: "string" },
        format: { type: "string", format: "uri" },
      },
      required: ["title", "gone"],
    };
    expect(subsetOf(schema)).toEqual({
      type: "object",
      properties: {
        title: { type: "string" },
        const: { type: "string" },
        $ref: { type: "string" },
        format: { type: "string" },
      },
      required: ["title"],
    });
  });

  it("writes references in place, and ends those into themselves", () => {
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/Tree", description: "the tree" } },
      $defs: {
        Tree: {
          type: "object",
          properties: { name: { type: "string" }, child: { $ref: "#/$defs/Tree" } },
        },
      },
    };
    const written = subsetOf(schema);
    expect(written).toMatchObject({
      properties: {
        tree: {
          description: "the tree",
          properties: { child: { properties: { name: { type: "string" } } } },
        },
      },
    });
    expect(JSON.stringify(written)).not.toContain("$");
  });

  it.each([
    [{ const: "a" }, { type: "string", enum: ["a"] }],
    [{ type: ["string", "null"] }, { type: "string", nullable: true }],
    [{ enum: ["a", null] }, { type: "string", enum: ["a"], nullable: true }],
    [
      { oneOf: [{ type: "string" }, { type: "number" }] },
      { anyOf: [{ type: "string" }, { type: "number" }] },
    ],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, { type: "string", nullable: true }],
    [
      { type: "integer", exclusiveMinimum: 0 },
      { type: "integer", minimum: 1 },
    ],
    [
      { type: "string", format: "uri", default: "" },
      { type: "string", default: "" },
    ],
    [{ type: "array" }, { type: "array", items: { type: "string" } }],
    [{}, { type: "string" }],
    [
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { properties: { b: { type: "string" } }, required: ["b"] },
        ],
      },
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        required: ["b"],
      },
    ],
  ])("writes %j as %j", (schema, written) => {
    expect(cut(schema)).toEqual({ x: written });
  });

  it("is nothing for an object without properties", () => {
    expect(
      subsetOf({ type: "object", properties: {}, additionalProperties: false }),
    ).toBeUndefined();
  });
});
