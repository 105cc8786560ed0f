/** Every message of the gateway's own leads to a section that says what it means and what clients see. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  docsPath,
  explainedCodes,
  explanationPath,
  withExplanation,
} from "../../src/core/docs-address.ts";
import { Problem, problemCodes } from "../../src/core/problem.ts";

const page = readFileSync("docs/errors.md", "utf8");
const codes = Object.values(problemCodes);

/** The text under a heading of the third level; undefined where there is none. */
function sectionOf(heading: string): string | undefined {
  const [, rest] = page.split(`\n### ${heading}\n`);
  return rest?.split(/^#{2,3} /m)[0];
}

describe("docs/errors.md", () => {
  it.each(codes)("%s has its section, with status, type and code", (code) => {
    const { status, type, code: word, marker } = new Problem(code, "");
    const section = sectionOf(marker) ?? "";
    expect(section).toMatch(/^\n\*\*.+\*\*/);
    expect(section).toContain("- Do: ");
    const [, sees = ""] = section.split("- Client sees: ");
    expect(sees).toMatch(new RegExp(`^${status}\\b`));
    expect(sees).toContain(`\`${word}\``);
    // A block is an answer unless statuses are wanted.
    if (code !== problemCodes.limitReached) expect(sees).toContain(`type \`${type}\``);
  });

  it("has no section of a code that there is not", () => {
    const headings = [...page.matchAll(/^### (M\d+)$/gm)].map(([, code = ""]) => code);
    expect(headings.toSorted()).toEqual([...codes].toSorted());
  });

  it.each(explainedCodes)("%s has a section of its own", (code) => {
    expect(sectionOf(code)).toMatch(/\S/);
  });
});

describe("a message of the gateway's own", () => {
  const origin = "https://gateway.example.com";

  it.each(codes)("of %s ends with the address of its section", (code) => {
    const problem = new Problem(code, "Words.");
    expect(withExplanation("Words.", problem, origin)).toBe(
      `Words. See ${origin}/docs/errors#${code.toLowerCase()}`,
    );
  });

  it.each(explainedCodes)("with the code %s leads to that code's section", (code) => {
    const problem = new Problem(problemCodes.invalidRequest, "Words.", { code });
    expect(explanationPath(problem)).toBe(docsPath("errors", code));
  });

  it("is a sentence before the address begins", () => {
    const problem = new Problem(problemCodes.invalidRequest, "body: not valid JSON");
    expect(withExplanation(problem.message, problem, origin)).toBe(
      `body: not valid JSON. See ${origin}/docs/errors#m300`,
    );
  });

  it("stays as it is where clients know its words", () => {
    const problem = new Problem(problemCodes.invalidRequest, "thread: lost", { exact: true });
    expect(withExplanation(problem.message, problem, origin)).toBe("thread: lost");
  });
});

describe("the address in a message", () => {
  it("is a path where the client says that it asked for a host without end", () => {
    const problem = new Problem(problemCodes.unknownKey, "");
    const at = (host: string) => withExplanation("No.", problem, `http://${host}`);
    expect(at("gateway.example")).toContain("See http://gateway.example/docs/errors#");
    expect(at("a".repeat(10_000))).toMatch(/^No\. See \/docs\/errors#\w+$/);
  });
});
