import { describe, expect, it } from "vitest";
import { isOwn } from "../../src/lib/same-origin.ts";

const asked = (headers: Record<string, string>) =>
  isOwn(
    new Request("http://gateway.test:2099/dashboard/settings/token", {
      method: "POST",
      headers: { host: "gateway.test:2099", ...headers },
    }),
  );

describe("where a writing request may come from", () => {
  it.each([
    ["its own origin", { origin: "http://gateway.test:2099" }],
    ["its own host behind a proxy that speaks TLS", { origin: "https://gateway.test:2099" }],
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
});
