import { describe, expect, it } from "vitest";
import { completion } from "../../src/formats/chat/reply/completion.ts";

function isComplete(fragments: readonly string[]): boolean {
  const watched = completion();
  for (const fragment of fragments) watched.feed(fragment);
  return watched.isComplete();
}

describe("arguments in fragments", () => {
  it.each<[string, string[], boolean]>([
    ["a whole object", ['{"a":1}'], true],
    ["one that is cut anywhere", ['{"a', '":"}', '\\"', '"', "}"], true],
    ["white space around it", [" ", '{"a":{}}', "\n"], true],
    ["an empty object may be a beginning", ["{}"], false],
    ["an object that has not ended", ['{"a":"}'], false],
    ["more behind the object", ['{"a":1}', "}"], false],
    ["no JSON", ["{a}"], false],
    ["no object", ["[1]"], false],
  ])("%s", (_title, fragments, complete) => {
    expect(isComplete(fragments)).toBe(complete);
  });
});
