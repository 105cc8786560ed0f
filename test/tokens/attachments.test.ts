import { describe, expect, it } from "vitest";
import { pdfPages, pixelSize, audioSeconds } from "../../src/tokens/attachments.ts";
import { estimateRequest } from "../../src/tokens/estimate.ts";
import type { MediaBlock } from "../../src/core/request.ts";
import { encode, gif, jpeg, pdf, png, wave, webp } from "../kit/headers.ts";
import { turn, user } from "../kit/neutral.ts";

const readers = ["chat", "responses", "messages", "gemini"] as const;

/** What each reader counts for a request with this one attachment. */
function tokens(mime: string, data: string, detail?: string): number[] {
  const family = mime.split("/")[0];
  const block: MediaBlock = {
    kind: "media",
    media: family === "image" || family === "audio" ? family : "document",
    source: { type: "bytes", mime, data },
    path: "messages[].content[]",
    ...(detail !== undefined && { detail }),
  };
  return readers.map((reader) => estimateRequest(turn({ messages: [user(block)] }), reader));
}

describe("what a file's first bytes tell", () => {
  it("is the size of a picture, wherever its format keeps it", () => {
    const size = { width: 1234, height: 567 };
    for (const data of [png(1234, 567), gif(1234, 567), jpeg(1234, 567), webp(1234, 567)])
      expect(pixelSize(data)).toEqual(size);
    expect(pixelSize(jpeg(1234, 567, 20_001))).toEqual(size);
  });

  it("is nothing for what is cut off, mangled or no picture", () => {
    const cut = jpeg(1234, 567, 20_001).slice(0, 8000);
    const empty = png(0, 0);
    for (const data of ["", "A", "%%%", "AAAA".repeat(100), cut, empty, encode([0xff, 0xd8])])
      expect(pixelSize(data)).toBeUndefined();
    const endless = encode([
      0xff,
      0xd8,
      ...Array.from({ length: 900 }, () => [0xff, 0xe0, 0, 0]).flat(),
    ]);
    expect(pixelSize(endless)).toBeUndefined();
  });

  it("is the number of pages of a PDF, and no more of them than its length can hold", () => {
    expect(pdfPages(pdf(12))).toBe(12);
    expect(pdfPages(pdf(1))).toBe(1);
    expect(pdfPages(pdf(1_000_000))).toBeLessThan(1000);
    expect(pdfPages(encode(Array.from({ length: 300_000 }, () => 37)))).toBeGreaterThan(2);
    expect(pdfPages("AAAA")).toBe(1);
  });

  it("is how long a sound lasts", () => {
    expect(audioSeconds(wave(16_000, 30), "audio/wav")).toBeCloseTo(30, 0);
    expect(audioSeconds(wave(48_000, 30), "audio/wav")).toBeCloseTo(30, 0);
  });
});

describe("the estimate of media", () => {
  it("follows the size of a picture and not the length of its data", () => {
    const [small, large] = [png(200, 200), png(1400, 1400)];
    const few = tokens("image/png", small);
    const many = tokens("image/png", large);
    for (const [n, count] of many.entries()) expect(count).toBeGreaterThan((few[n] ?? 0) * 1.8);
    expect(tokens("image/png", small + "A".repeat(400_000))).toEqual(few);
  });

  it("has a bound, whatever size a picture claims", () => {
    for (const count of tokens("image/png", png(4_000_000_000, 4_000_000_000)))
      expect(count).toBeLessThan(3000);
    for (const count of tokens("image/png", png(4_000_000_000, 1)))
      expect(count).toBeLessThan(3000);
  });

  it("is less for a picture that is asked to be looked at roughly", () => {
    const [full = 0] = tokens("image/png", png(1024, 1024));
    const [rough = 0] = tokens("image/png", png(1024, 1024), "low");
    expect(rough).toBeLessThan(full / 4);
  });

  it("grows with the pages of a document and with the words of a text file", () => {
    const one = tokens("application/pdf", pdf(1));
    const ten = tokens("application/pdf", pdf(10));
    for (const [n, count] of ten.entries()) expect(count).toBeGreaterThan((one[n] ?? 0) * 5);
    const words = (count: number): string =>
      btoa("nine words are what this line has, no more\n".repeat(count));
    for (const count of tokens("text/plain", words(1000))) {
      expect(count).toBeGreaterThan(8000);
      expect(count).toBeLessThan(14_000);
    }
  });

  it("grows with the length of a sound", () => {
    const short = tokens("audio/wav", wave(16_000, 3));
    const long = tokens("audio/wav", wave(16_000, 300));
    for (const [n, count] of long.entries()) expect(count).toBeGreaterThan((short[n] ?? 0) * 10);
  });
});
