import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/lib/sha256.ts";

describe("sha256", () => {
  it("agrees with the runtime's own at every length around a block, and beyond ASCII", () => {
    const texts = Array.from({ length: 200 }, (_, length) =>
      "aé漢😀".repeat(length).slice(0, length),
    );
    for (const text of [...texts, "x".repeat(100_000)])
      expect(sha256(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
  });
});
