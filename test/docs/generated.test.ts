/** The pages that are made from the source say what the source says. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generatedPages } from "../../scripts/docs/generated.ts";

describe("npm run docs", () => {
  it.each(Object.entries(generatedPages()))("%s is up to date", (file, text) => {
    expect(readFileSync(file, "utf8"), "run `npm run docs`").toBe(text);
  });

  it("every member of the document says what it is", () => {
    const text = generatedPages()["docs/configuration.md"] ?? "";
    const rows = text.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((line) => /\| \.? ?(Required\.|Default:|Example:|\|)/.test(line))).toEqual(
      [],
    );
  });
});
