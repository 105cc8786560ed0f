import { describe, expect, it } from "vitest";

import { maskFailure, maskSecrets } from "../../src/providers/connection/mask.ts";

const secret = ["sk-test/", 'Ab+9=é"x', "-tail0123"].join("");
const bytes = new TextEncoder().encode(secret);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const forms: [string, string][] = [
  ["plain", secret],
  ["JSON", JSON.stringify({ key: secret })],
  ["JSON in JSON", JSON.stringify(JSON.stringify({ key: secret }))],
  ["JSON with escaped slashes", JSON.stringify({ key: secret }).replaceAll("/", "\\/")],
  [
    "unicode escapes",
    Array.from(secret, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  ],
  ["percent encoding", encodeURIComponent(secret)],
  [
    "lower-case percent encoding",
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (part) => part.toLowerCase()),
  ],
  [
    "percent encoding of every byte",
    Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  ],
  ["percent encoding twice", encodeURIComponent(encodeURIComponent(secret))],
  ["hexadecimal", Buffer.from(bytes).toString("hex")],
  ["upper-case hexadecimal", Buffer.from(bytes).toString("hex").toUpperCase()],
  ["HTML", secret.replaceAll('"', "&quot;")],
  ["numeric HTML", Array.from(secret, (sign) => `&#${sign.charCodeAt(0)};`).join("")],
  ["base64", base64(secret)],
  ["base64url", Buffer.from(bytes).toString("base64url")],
  ["base64 of an authorization header", base64(`Bearer ${secret}`)],
  ["base64 after one character", base64(`:${secret}:`)],
  ["base64 after two characters", base64(`u:${secret}\n`)],
];

describe("secrets in providers' words", () => {
  it.each(forms)("%s: nothing of it can be read back", (_, form) => {
    const masked = maskSecrets(`before ${form} after`, [secret]);
    expect(masked.startsWith("before ")).toBe(true);
    expect(masked.endsWith(" after")).toBe(true);
    expect(masked).toContain("***");
    const core = "-tail0123";
    for (const leak of [core, Buffer.from(core).toString("hex"), encodeURIComponent(core)])
      expect(masked.toLowerCase()).not.toContain(leak.toLowerCase());
    for (const word of masked.split(/[^A-Za-z0-9+/=_-]+/))
      expect(Buffer.from(word, "base64").toString()).not.toContain("tail01");
  });

  it("all occurrences, all secrets, and every word of a failure", () => {
    const failure = maskFailure(
      {
        cause: "status",
        status: 401,
        message: "k1-secret and k2-secret, k1-secret",
        type: "k2-secret",
        code: "bad_k1-secret",
      },
      ["k1-secret", "k2-secret"],
    );
    expect(JSON.stringify(failure)).not.toContain("secret");
  });

  it("texts without secrets stay as they are, and tiny secrets tear nothing apart", () => {
    expect(maskSecrets("a perfectly good text", ["sk-other-key", "a"])).toBe(
      "a perfectly good text",
    );
  });
});
