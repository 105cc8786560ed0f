import { expect, it } from "vitest";
import { withoutEnd } from "../../src/lib/trim-end.ts";

it.each([
  ["/v1//", "/v1"],
  ["/v1", "/v1"],
  ["//", ""],
  ["", ""],
  ["/a//b", "/a//b"],
])("takes what is at the end of %j alone", (text, expected) => {
  expect(withoutEnd(text, "/")).toBe(expected);
});
