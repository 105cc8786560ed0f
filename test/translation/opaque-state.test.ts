import { describe, expect, it } from "vitest";
import { belongsTo, stateTag, unwrapState, wrapState } from "../../src/translation/opaque-state.ts";
import type { OpaqueState } from "../../src/core/request.ts";

const state: OpaqueState = {
  format: "gemini",
  origin: "lab",
  type: "thought_signature",
  data: "Zürich 東京 +/=\n\u0000",
};

describe("state of a provider in a foreign client's hands", () => {
  it("comes back as it was", () => {
    expect(unwrapState(wrapState(state))).toEqual(state);
  });

  it("is made of characters that every dialect keeps, behind the tag", () => {
    expect(wrapState(state)).toMatch(/^gw1\.[A-Za-z0-9_-]+$/);
  });

  it("is nothing when the text is not ours, damaged or no state", () => {
    const whole = wrapState(state);
    const made = (value: unknown) =>
      stateTag + Buffer.from(JSON.stringify(value)).toString("base64url");
    const texts = [
      "",
      "gAAAA",
      stateTag,
      `${stateTag}%%%`,
      whole.slice(0, -5),
      `x${whole}`,
      made(null),
      made([1]),
      made({ f: "chat" }),
      made({ f: "toString", t: "a", d: "b" }),
      made({ f: "chat", t: 1, d: "b" }),
    ];
    expect(texts.map(unwrapState)).toEqual(texts.map(() => undefined));
  });

  it("belongs to the connection and dialect that made it, and to no other", () => {
    expect(belongsTo(state, { connection: "lab", format: "gemini" })).toBe(true);
    expect(belongsTo(state, { connection: "lab", format: "chat" })).toBe(false);
    expect(belongsTo(state, { connection: "lab2", format: "gemini" })).toBe(false);
    const native: OpaqueState = { format: "chat", type: "x", data: "y" };
    expect(belongsTo(native, { connection: "lab", format: "chat" })).toBe(false);
  });
});
