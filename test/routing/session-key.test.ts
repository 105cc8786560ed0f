import { describe, expect, it } from "vitest";
import type { RoutingInput } from "../../src/routing/contract/input.ts";
import { assistant, decide, headers, instruction, modelRequest, tierConfig, user } from "./kit.ts";

const asked = modelRequest([instruction("Be brief."), user("first words")]);
const otherWords = modelRequest([instruction("Be brief."), user("other words")]);

/** The session key of a request with these headers and what the body states. */
const key = (
  given: Record<string, string>,
  { request = asked, ...more }: Partial<RoutingInput> = {},
) => decide(request, { headers: headers(given), ...more }).sessionKey;

const sessionHeaders = [
  "x-gateway-session",
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "x-session-id",
];

describe("the session key", () => {
  it.each(sessionHeaders)("follows %s, whatever is asked", (name) => {
    expect(key({ [name]: "a" })).toBe(key({ [name]: "a" }, { request: otherWords }));
    expect(key({ [name]: "a" })).not.toBe(key({ [name]: "b" }));
  });

  it("follows the conversation id that the body states", () => {
    expect(key({}, { conversation: "a" })).toBe(
      key({}, { conversation: "a", request: otherWords }),
    );
    expect(key({}, { conversation: "a" })).not.toBe(key({}, { conversation: "b" }));
  });

  it.each(sessionHeaders)("follows %s before the body", (name) => {
    expect(key({ [name]: "a" }, { conversation: "b" })).toBe(key({ [name]: "a" }));
  });

  it("follows x-gateway-session before all other headers", () => {
    const all = Object.fromEntries(sessionHeaders.map((name) => [name, name]));
    expect(key(all)).toBe(key({ "x-gateway-session": "x-gateway-session" }));
  });

  it("follows the instructions and the first ask where nothing is stated", () => {
    const grown = modelRequest([
      instruction("Be brief."),
      user("first words"),
      assistant("yes"),
      user("second words"),
    ]);
    expect(key({}, { request: grown })).toBe(key({}));
    expect(key({}, { request: otherWords })).not.toBe(key({}));
  });

  it("is another one for subagents, which have other instructions", () => {
    const subagent = modelRequest([instruction("You search files."), user("find it")]);
    const given = { "x-claude-code-session-id": "a" };
    expect(key(given, { request: subagent })).not.toBe(key(given));
  });

  it("is another one for every harness", () => {
    const given = { "x-gateway-session": "a" };
    const harness = { id: "other", routing: tierConfig };
    expect(key(given, { harness })).not.toBe(key(given));
  });
});
