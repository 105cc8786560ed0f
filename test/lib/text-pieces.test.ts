import { expect, it } from "vitest";
import { TextPieces } from "../../src/lib/text-pieces.ts";

it("many pieces are one text", () => {
  const pieces = new TextPieces();
  let expected = "";
  for (let at = 0; at < 1000; at++) {
    pieces.add(`${at},`);
    expected += `${at},`;
    expect(pieces.text()).toBe(expected);
  }
});
