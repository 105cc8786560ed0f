/** Users' patterns: what they match, what is refused, and that no pattern and no text makes the search slow. */
import { describe, expect, it } from "vitest";
import { compilePatterns, patternFault } from "../../src/redaction/compile-patterns.ts";
import { PatternSearch } from "../../src/redaction/search-patterns.ts";
import { random, type Random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";
import { keptPlain } from "./kit.ts";

function search(patterns: readonly string[], text: string) {
  const found = new PatternSearch(compilePatterns(patterns), Infinity);
  const part = { from: 0, to: text.length, startsLine: true, endsLine: true };
  return { parts: found.find(text, part), work: found.work };
}

describe("a pattern matches", () => {
  it.each([
    ["abc", "xabcx", "x[redacted]x"],
    ["a.c", "abc a\nc", "[redacted] a\nc"],
    ["[a-cx]+", "zabcxz", "z[redacted]z"],
    ["[^a-c ]+", "abc xyz", "abc [redacted]"],
    ["\\d{3}-\\d{2,4}", "123-45678 12-34", "[redacted]8 12-34"],
    ["colou?r", "color colour colr", "[redacted] [redacted] colr"],
    ["(ab|cd)+e", "ababcde abe ae", "[redacted] [redacted] ae"],
    ["(?:foo|bar)_[A-Z]*x", "foo_ABx bar_x", "[redacted] [redacted]"],
    ["^a+$", "aaa\nba\na", "[redacted]\nba\n[redacted]"],
    ["^a|b$", "ab ab\nab", "[redacted]b a[redacted]\n[redacted]"],
    ["\\$\\{[\\w.]+\\}", "${a.b} $a", "[redacted] $a"],
    ["[\\d.-]+%", "-1.5% 3 %", "[redacted] 3 %"],
    ["[]]", "", ""],
    ["a{2}", "aaaaa", "[redacted]"],
    ["a{3,}b", "aab aaaab", "aab [redacted]"],
    ["ä😀+", "xä😀x", "x[redacted]x"],
    ["\\s\\S\\W\\D", "a b-c", "a[redacted]"],
    ["x\\\\y", "x\\y", "[redacted]"],
    ["a-z]", "a-z]", "[redacted]"],
  ])("%s in %s", (pattern, text, kept) => {
    if (text === "") expect(patternFault(pattern)).toBeDefined();
    else expect(keptPlain(text, { rules: [], patterns: [pattern] })).toBe(kept);
  });
});

describe("a pattern is refused in plain words", () => {
  it.each([
    ["", "nothing to match"],
    ["a**", "character 3: * can't stand here"],
    ["a+?", "character 3: ? can't stand here"],
    ["*a", "character 1: * can't stand here"],
    ["(?=a)b", "only ( and (?:"],
    ["(?<n>a)", "only ( and (?:"],
    ["(a)\\1", "\\1 is not supported"],
    ["\\bword", "\\b is not supported"],
    ["\\p{L}", "\\p is not supported"],
    ["(a", "character 1: this group is not closed"],
    ["a)", "character 2: ) can't stand here"],
    ["(a|)", "nothing to match"],
    ["[a", "character 1: this [ is not closed"],
    ["[z-a]", "a range must go from one character to a later one"],
    ["[\\d-z]", "a range must go from"],
    ["[😀]", "use a group"],
    ["a{,3}", "expected {3}"],
    ["a{3,2}", "from low to high"],
    ["a{0}", "from low to high"],
    ["a{501}", "at most 500"],
    ["a{501,}", "at most 500"],
    ["a^b", "character 2: ^ can't stand here"],
    ["a$b", "character 2: $ can't stand here"],
    ["(a$|b)", "character 3: $ can't stand here"],
    ["a*", "matches empty text"],
    ["(a|b?)", "matches empty text"],
    ["a\\", "a \\ at the end"],
    ["((a{50}){50})", "has too many repeats"],
    ["a".repeat(201), "has 201 characters"],
  ])("%s", (pattern, words) => {
    expect(patternFault(pattern)).toContain(words);
  });
});

/** Patterns that make engines with backtracking hang, and those that keep the most threads alive. */
const hostile = [
  "(a+)+$",
  "(a|aa)*b",
  "(a*)*b",
  "(.*a){12}",
  "(a?){50}a{50}",
  `${"(".repeat(50)}a${")+".repeat(50)}b`,
  `${"(".repeat(50)}a${")*".repeat(50)}b`,
  "(a|b|ab)*c",
  "(x+x+)+y",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "[ab]*a[ab]{200}",
  "(.{1,16}){1,16}Z",
  "a{500}",
] as const;
const texts = ["a", "ab", "aab", "x", "aA", "a\n", "é"] as const;

describe("the search is linear", () => {
  it.each(hostile)("whatever the pattern: %s", (pattern) => {
    const { steps } = compilePatterns([pattern]);
    for (const text of texts) {
      const [once, twice] = [2_000, 4_000].map(
        (length) => search([pattern], text.repeat(length / text.length)).work,
      );
      // Twice, but for the threads that are still to begin.
      expect(twice, text).toBeLessThanOrEqual(2.5 * (once ?? 0));
      // No character costs more than each step seen from its two sides.
      expect(once, text).toBeLessThanOrEqual(2_000 * 4 * steps.length);
    }
  });

  it("and all patterns of a harness together have a bound, behind which a text is not kept", () => {
    const patterns = Array.from({ length: 20 }, (_, at) => `(.|a|[a-z]){1,${80 + at}}Z`);
    const text = "a".repeat(20_000);
    expect(search(patterns, text.slice(0, 1_000)).work).toBeGreaterThan(50 * 1_000);
    const kept = keptPlain(`${text} and what follows`, { rules: [], patterns });
    expect(kept).not.toContain("follows");
    expect(kept.endsWith("[redacted]")).toBe(true);
  });
});

/** A pattern that both this search and the runtime's own understand. */
function somePattern(chance: Random, depth = 2): string {
  const atom = (): string => {
    if (depth > 0 && chance.chance(0.3))
      return `(${chance.list(1, 3, () => somePattern(chance, depth - 1)).join("|")})`;
    return chance.pick(["a", "b", "c", ".", "[ab]", "[^a]", "\\w", "\\s", "-"]);
  };
  const count = (): string => chance.pick(["", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}"]);
  return chance.list(1, 4, () => atom() + count()).join("");
}

/** What any match covers, the slow way: every beginning and every end. */
function covered(pattern: string, text: string): string {
  const whole = new RegExp(`^(?:${pattern})$`);
  const marks = Array.from({ length: text.length }, () => false);
  for (let from = 0; from < text.length; from++)
    for (let to = from + 1; to <= text.length; to++)
      if (whole.test(text.slice(from, to))) marks.fill(true, from, to);
  return marks.map((mark) => (mark ? "x" : ".")).join("");
}

it.each(seeds(1000))("finds what the runtime's own expressions find: %i", (seed) => {
  const chance = random(seed);
  const pattern = somePattern(chance);
  if (patternFault(pattern) !== undefined) return;
  const text = chance.list(0, 8, () => chance.pick(["a", "b", "c", " ", "-", "\n", "é"])).join("");
  const marks = Array.from({ length: text.length }, () => ".");
  for (const { from, to } of search([pattern], text).parts) marks.fill("x", from, to);
  expect(marks.join(""), `${pattern} in ${JSON.stringify(text)}`).toBe(covered(pattern, text));
});
