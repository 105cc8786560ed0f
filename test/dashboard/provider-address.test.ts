/** A base URL as it is typed: what is wrong with how it is written is said at its field. */
import { describe, expect, it } from "vitest";
import { providerEntryFromForm } from "../../src/dashboard/pages/providers/provider-entry.ts";

const entryWith = (base_url: string) =>
  providerEntryFromForm(new URLSearchParams({ id: "p", kind: "custom", base_url }), {});

describe("an address that is not written as one", () => {
  it.each([
    ["http://127.0.0.1:8000/ok /v1", "base_url: it contains a space. Remove it"],
    ["api.example.com/v1", "must begin with https:// or http://, like https://api.example.com/v1"],
    ["localhost:8000/v1", "must begin with https:// or http://, like http://localhost:8000/v1"],
    ["192.168.1.4:8000", "like http://192.168.1.4:8000"],
    ["???", "like https://llm.example.com/v1"],
    ["ftp://example.com", "it begins with ftp://"],
    ["http://127.0.0.1:99999/v1", "Check the host name and the port"],
  ])("%s", (text, words) => expect(() => entryWith(text)).toThrow(words));

  it("one that is stays as it was typed", () => {
    expect(entryWith(" HTTPS://Example.com/v1/ ").base_url).toBe("HTTPS://Example.com/v1/");
  });
});
