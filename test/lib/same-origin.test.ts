import { describe, expect, it } from "vitest";
import { isOwn } from "../../src/lib/same-origin.ts";

const asked = (headers: Record<string, string>, publicOrigin?: string) =>
  isOwn(
    new Request("http://gateway.test:2099/dashboard/settings/token", {
      method: "POST",
      headers: { host: "gateway.test:2099", ...headers },
    }),
    publicOrigin,
  );

describe("where a writing request may come from", () => {
  it.each([
    ["its own origin", { origin: "http://gateway.test:2099" }],
    [
      "its own host behind a proxy that says it speaks TLS",
      { origin: "https://gateway.test:2099", "x-forwarded-proto": "https" },
    ],
    [
      "its own host behind a proxy that says nothing, with the browser's word",
      { origin: "https://gateway.test:2099", "sec-fetch-site": "same-origin" },
    ],
    ["the browser's word alone", { "sec-fetch-site": "same-origin" }],
    [
      "the browser's word, the origin withheld",
      { "sec-fetch-site": "same-origin", origin: "null" },
    ],
  ])("%s is enough", (_name, headers: Record<string, string>) => {
    expect(asked(headers)).toBe(true);
  });

  it.each([
    ["no header at all", {}],
    ["an origin withheld", { origin: "null" }],
    ["a foreign origin", { origin: "https://evil.test" }],
    ["its name in front of another", { origin: "http://gateway.test:2099.evil.test" }],
    ["the same host with TLS, which nobody vouches for", { origin: "https://gateway.test:2099" }],
    [
      "the same host without TLS where the gateway has it",
      { origin: "http://gateway.test:2099", "x-forwarded-proto": "https" },
    ],
    ["another port", { origin: "http://gateway.test:2100" }],
    ["no address", { origin: "gateway.test:2099" }],
    [
      "a page of a sister domain",
      { "sec-fetch-site": "same-site", origin: "http://gateway.test:2099" },
    ],
    ["a foreign page", { "sec-fetch-site": "cross-site" }],
    ["the address bar", { "sec-fetch-site": "none" }],
    [
      "words that contradict each other",
      { "sec-fetch-site": "same-origin", origin: "https://evil.test" },
    ],
  ])("%s is refused", (_name, headers: Record<string, string>) => {
    expect(asked(headers)).toBe(false);
  });

  it("the origin that the deployment names is its own, and only under its host", () => {
    const origin = "https://gateway.test:2099";
    expect(asked({ origin }, origin)).toBe(true);
    expect(
      asked({ origin: "http://gateway.test:2099", "x-forwarded-proto": "https" }, origin),
    ).toBe(false);
    expect(asked({ origin, host: "other.test" }, origin)).toBe(false);
  });
});
