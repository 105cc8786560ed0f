import { expect, test } from "vitest";
import { styleOf, webhookFrom } from "../../src/dashboard/pages/webhooks/webhook-form.tsx";

test.each([
  ["https://hooks.slack.com/services/T0/B0/x", "slack"],
  ["https://hooks.slack-gov.com/services/T0/B0/x", "slack"],
  ["https://discord.com/api/webhooks/1/x", "discord"],
  ["https://canary.discord.com/api/webhooks/1/x", "discord"],
  ["https://discordapp.com/api/webhooks/1/x", "discord"],
  ["https://hooks.slack.com.example.org/x", "standard"],
  ["https://notdiscord.com/x", "standard"],
  ["https://example.org/hooks.slack.com", "standard"],
  ["no address", "standard"],
])("the format for %s is %s", (url, style) => {
  expect(styleOf(url)).toBe(style);
});

test("a chosen format goes before the detected one, and events are those that are checked", () => {
  const url = "https://hooks.slack.com/services/x";
  const form = new URLSearchParams({ url, style: "standard", "limit.near": "on", other: "on" });
  expect(webhookFrom(form)).toEqual({ url, style: "standard", events: ["limit.near"] });
  expect(() => webhookFrom(new URLSearchParams({ url }))).toThrow("at least one event");
  expect(() => webhookFrom(new URLSearchParams({ "limit.near": "on" }))).toThrow("url:");
});
