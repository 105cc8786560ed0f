/** Long integers of a Gemini client's calls and results arrive digit for digit, relayed and translated. */
import { expect, it } from "vitest";
import { gemini } from "../../src/formats/gemini/index.ts";
import { providerFormats } from "../../src/formats/index.ts";
import { parseJson, type JsonObject } from "../../src/lib/json.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { target } from "../kit/neutral.ts";

const text =
  '{"contents":[{"role":"user","parts":[{"text":"x"}]},' +
  '{"role":"model","parts":[{"functionCall":{"name":"t","args":{"a":12345678901234567890}}}]},' +
  '{"role":"user","parts":[{"function_response":{"name":"t","response":{"b":12345678901234567891}}}]}]}';

function request() {
  // The text is an object's.
  const body = parseJson(text) as JsonObject;
  return clientRequest(gemini.client, { body, text, address: { model: "m", answer: "whole" } });
}

it("on a relay", () => {
  const { body } = gemini.provider.relayRequest({
    body: request().exact,
    target: target("gemini"),
    parameters: {},
    asIs: false,
  });
  expect(JSON.stringify(body)).toBe(text);
});

it.each(["chat", "responses", "messages"] as const)("at a provider of %s", (format) => {
  const { body } = providerFormats[format].writeRequest(request().inHub(), target(format));
  const written = JSON.stringify(body);
  expect(written).toContain("12345678901234567890");
  expect(written).toContain("12345678901234567891");
});
