import { describe, expect, it } from "vitest";
import { halfSipHash } from "../../src/lib/half-sip-hash.ts";

/** The reference's key: bytes 0 to 7, little-endian. */
const key = [0x03020100, 0x07060504] as const;

describe("HalfSipHash", () => {
  // vectors_hsip32 of the reference implementation: inputs of the bytes 0, 1, 2 …, here two to a character.
  it("gives the numbers of its reference implementation", () => {
    const units = (bytes: number): string =>
      String.fromCharCode(
        ...Array.from({ length: bytes / 2 }, (_, at) => 2 * at + ((2 * at + 1) << 8)),
      );
    const numbers = [0, 2, 4].map((bytes) => halfSipHash(key, units(bytes)).toString(16));
    expect(numbers).toEqual(["5b9f35a9", "3a662fa", "89466e2a"]);
  });
});
