/** Lists of dropped fields are short, whatever a client calls its fields and however many it sends. */
import { describe, expect, it } from "vitest";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { droppedHeader } from "../../src/gateway/headers.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { droppedPaths, mostDroppedPaths } from "../../src/translation/dropped-paths.ts";
import { target } from "../kit/neutral.ts";
import { pairs } from "../kit/providers.ts";

const size = (text: string): number => new TextEncoder().encode(text).length;

const chat = { model: "m", messages: [{ role: "user", content: "x" }] };
const bodies: Readonly<Record<string, JsonObject>> = {
  chat,
  messages: { ...chat, max_tokens: 1 },
  responses: { model: "m", input: "x" },
  gemini: { model: "m", contents: [{ parts: [{ text: "x" }] }] },
};

const members = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`z${at}`, 1]));

describe("the paths of dropped fields", () => {
  it("are a thousand at most", () => {
    const paths = droppedPaths(Object.keys(members(5000)));
    expect(paths.size).toBe(mostDroppedPaths);
    expect(mostDroppedPaths).toBe(1000);
  });

  it("have 256 bytes at most, the ellipsis included", () => {
    const [long = "", wide = "", fits = ""] = droppedPaths([
      "z".repeat(2_300_000),
      "\u{1f600}".repeat(300),
      "é".repeat(128),
    ]);
    expect(long).toBe(`${"z".repeat(253)}…`);
    expect(size(wide)).toBeLessThanOrEqual(256);
    expect(wide).toBe(`${"\u{1f600}".repeat(63)}…`);
    expect(fits).toBe("é".repeat(128));
  });

  it("have 64 KB at most in all", () => {
    const paths = droppedPaths(Array.from({ length: 500 }, (_, at) => `${at}${"z".repeat(400)}`));
    expect([...paths].reduce((sum, path) => sum + size(path), 0)).toBeLessThanOrEqual(65_536);
    expect(paths.size).toBeGreaterThan(250);
  });

  it("name each field once", () => {
    expect([...droppedPaths(["a", "b", "a"])]).toEqual(["a", "b"]);
  });
});

describe.each(pairs)("$client to $provider", ({ client, provider }) => {
  it("reports a bounded list of unknown fields", () => {
    for (const unknown of [members(3000), { ["z".repeat(100_000)]: 1 }]) {
      const request = clientFormats[client].readRequest({ ...bodies[client], ...unknown });
      const { dropped } = providerFormats[provider].writeRequest(request, target(provider));
      expect(dropped.length).toBeGreaterThan(0);
      expect(dropped.length).toBeLessThanOrEqual(1000);
      expect(size(dropped.join(","))).toBeLessThan(67_000);
      expect(droppedHeader(dropped)?.length).toBeLessThan(2100);
    }
  });
});

it("still say that a request refers to stored items, however many fields are unknown beside", () => {
  const { unsupported } = clientFormats.responses.readRequest({
    model: "m",
    input: [
      { role: "user", content: "x", ...members(3000) },
      { type: "item_reference", id: "i" },
    ],
  });
  expect(unsupported).toContain("input[]");
});
