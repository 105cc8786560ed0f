import { describe, expect, it } from "vitest";
import { textStream } from "../../src/lib/text-stream.ts";

const long = 200_000;

describe("a text as a stream", () => {
  it.each([
    ["nothing", []],
    ["empty pieces", ["", "a", ""]],
    ["a long text", ["word ".repeat(long)]],
    ["characters of every width on every cut", [`a${"é€😀".repeat(long)}`, "😀".repeat(long)]],
  ])("holds its bytes, and says how many: %s", async (_, pieces) => {
    const text = pieces.join("");
    const response = new Response(await textStream(pieces));
    expect((await response.text()) === text).toBe(true);
  });
});
