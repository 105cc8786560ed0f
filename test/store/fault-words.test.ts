import { describe, expect, it } from "vitest";
import * as z from "zod";
import { faultWords } from "../../src/store/fault-words.ts";

function wordsFor(schema: z.ZodType, value: unknown): string {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue === undefined ? "" : faultWords(issue);
}

describe("what a schema finds", () => {
  it.each([
    [z.string(), 5, "must be text"],
    [z.number(), "5", "must be a number"],
    [z.number(), null, "must be a number"],
    [z.int(), 1.5, "must be a whole number"],
    [z.boolean(), "yes", "must be true or false"],
    [z.array(z.string()), {}, "must be a list"],
    [z.strictObject({}), [], "must be an object"],
    [z.strictObject({ id: z.string() }), {}, "is missing"],
    [z.enum(["hour", "day"]), "year", 'must be one of "hour", "day"'],
    [z.literal("demo"), "other", 'must be "demo"'],
    [z.number().min(0), -1, "must be at least 0"],
    [z.number().positive(), 0, "must be more than 0"],
    [z.number().max(10_000), 20_000, "must be at most 10,000"],
    [z.string().min(1), "", "must not be empty"],
    [z.string().min(12), "short", "must have at least 12 characters"],
    [z.string().max(3), "long", "must have at most 3 characters"],
    [z.array(z.string()).min(1), [], "must have at least 1 entry"],
    [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
    [z.union([z.string(), z.number()]), true, "is not valid"],
  ])("in case %# is said as people say it", (schema, value, words) => {
    expect(wordsFor(schema, value)).toBe(words);
  });

  it("is said in the schema's own words where it has some", () => {
    expect(wordsFor(z.string().regex(/^a/, "begins with an a"), "b")).toBe("begins with an a");
  });
});
