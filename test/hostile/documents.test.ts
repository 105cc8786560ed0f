/** Pasted documents: what is wrong with them is told with its line, in time that grows with their length. */
import { describe, expect, it } from "vitest";
import { invalid } from "../../src/core/problem.ts";
import { placedProblem } from "../../src/dashboard/pages/settings/import/read-document.ts";
import { jsonFault, placeOfPath } from "../../src/lib/json-place.ts";

describe("a problem's path", () => {
  it("is read once, however many names stand in it", () => {
    // With two ways to read each name this would take 2^60 steps.
    const path = `providers[0]${'["a"]'.repeat(60)}`;
    expect(placedProblem("{}", invalid(path, "is wrong")).message).toContain("is wrong");
    const broken = invalid(`${path} and more`, "is wrong");
    expect(placedProblem("{}", broken)).toBe(broken);
  });

  it("may hold names with quotes, spaces and colons", () => {
    const text = '{"headers":\n{"x \\": y":\n1}}';
    const problem = invalid(String.raw`headers["x \": y"]`, "must be text");
    expect(placedProblem(text, problem).message).toContain("line 2, headers");
  });
});

describe("a document that is nested without end", () => {
  it("is a fault in words", () => {
    const text = '{"a":['.repeat(50_000);
    expect(jsonFault(text)?.message).toContain("expected a value");
    expect(placeOfPath(text, ["a", 0, "a"]).line).toBe(1);
  });
});
