import { expect, test } from "vitest";
import { eventTypes, type WorkspaceEvent } from "../../../src/workspace/contract/events.ts";
import { eventPage, eventSentence } from "../../../src/workspace/rules/events/event-sentence.ts";
import { webhookBody } from "../../../src/workspace/rules/events/webhook-body.ts";

const links = { origin: "https://gateway.example" };

const facts = {
  workspace: "default",
  node: "harness",
  id: "claude-code",
  metric: "cost",
  period: "day",
  max: 5,
  used: 4.02,
  action: "block",
  resets_at: "2026-01-02T00:00:00.000Z",
  monthly_requests: 10_000,
  provider: "openai",
  model: "openai/gpt-x",
  status: 503,
  since: "2026-01-01T10:11:12.000Z",
  key: "key_1",
  name: "Laptop",
  harness: "claude-code",
  last4: "a1b2",
  expires_at: "2026-02-01T00:00:00.000Z",
  day: "2026-01-01",
  cost: 50,
  usual: 8,
};

function eventOf(type: WorkspaceEvent["type"], more: WorkspaceEvent["data"] = {}): WorkspaceEvent {
  const data = { ...facts, ...more };
  return { seq: 1, id: "evt_1", type, time: "2026-01-01T12:00:00.000Z", data };
}

function plain(event: WorkspaceEvent, holder: "harness" | "agent" = "harness"): string {
  return eventSentence(event, { holder })
    .map((part) => (typeof part === "string" ? part : part.name))
    .join("");
}

test("each event is one plain sentence", () => {
  const sentences = Object.fromEntries(eventTypes.map((type) => [type, plain(eventOf(type))]));
  expect(sentences).toEqual({
    "limit.near":
      "Harness claude-code has used 80% of a limit: $4.02 of $5.00 per day, resets 2026-01-02 00:00 UTC.",
    "limit.reached":
      "Harness claude-code has reached a limit: $4.02 of $5.00 per day. Its requests to models with a price are refused until 2026-01-02 00:00 UTC. Free models still answer, and so do models without a known price if they are named.",
    "quota.near":
      "The workspace has used 0% of its monthly quota: 4 of 10,000 requests, resets 2026-01-02 00:00 UTC.",
    "quota.reached":
      "The workspace has used its monthly quota of 10,000 requests. Further requests are refused until 2026-01-02 00:00 UTC.",
    "provider.down":
      "Provider openai is down since 2026-01-01 10:11 UTC: requests to openai/gpt-x fail with status 503.",
    "provider.up": "Provider openai is up again. It was down since 2026-01-01 10:11 UTC.",
    "key.created":
      "Key Laptop (…a1b2) of harness claude-code was created; it expires 2026-02-01 00:00 UTC.",
    "key.revoked":
      "Key Laptop (…a1b2) of harness claude-code was revoked. Requests with it are refused.",
    "key.expiring": "Key Laptop (…a1b2) of harness claude-code expires 2026-02-01 00:00 UTC.",
    "spend.unusual": "Unusual spending: $50.00 on 2026-01-01, $8.00 on a usual day.",
  });
});

test("a sentence says what its state means", () => {
  expect(plain(eventOf("limit.reached", { action: "notify" }))).toContain(
    "This limit only records, so requests continue; it resets 2026-01-02 00:00 UTC.",
  );
  expect(
    plain(eventOf("limit.near", { node: "workspace", metric: "tokens", max: 1000, used: 850 })),
  ).toBe(
    "The workspace has used 85% of a limit: 850 of 1,000 tokens per day, resets 2026-01-02 00:00 UTC.",
  );
  expect(plain(eventOf("limit.near"), "agent")).toMatch(/^Agent claude-code /);
  expect(plain(eventOf("limit.near", { node: "key", id: "key_1" }))).toMatch(
    /^Key Laptop \(…a1b2\) of harness claude-code has used 80% /,
  );
  expect(plain(eventOf("limit.reached", { strict: true }))).toContain(
    "Its requests are refused until 2026-01-02 00:00 UTC, but for free models.",
  );
  expect(plain(eventOf("limit.reached", { metric: "tokens", max: 1000, used: 1000 }))).toMatch(
    /Its requests are refused until 2026-01-02 00:00 UTC\.$/,
  );
  expect(plain(eventOf("provider.down", { status: null }))).toMatch(/ fail\.$/);
  expect(plain(eventOf("provider.down", { others_answer: true }))).toBe(
    "Model openai/gpt-x is down since 2026-01-01 10:11 UTC: requests to openai/gpt-x fail with status 503. Other models of openai answer.",
  );
  expect(plain(eventOf("provider.up", { others_answer: true }))).toMatch(
    /^Model openai\/gpt-x is up again\./,
  );
  expect(plain(eventOf("key.created", { expires_at: null }))).toMatch(/ was created\.$/);
});

test("times are written as the reader's place writes them", () => {
  const parts = eventSentence(eventOf("key.expiring"), { showTime: (time) => `<${time}>` });
  expect(parts.join("")).toContain(`expires <${Date.parse(facts.expires_at)}>.`);
});

test("the limit of a key leads to that key, and of one that earlier versions kept to all", () => {
  const key = { node: "key", id: "key_1" };
  expect(eventPage(eventOf("limit.reached", key))).toBe(
    "/dashboard/harnesses/claude-code/keys/key_1",
  );
  expect(eventPage(eventOf("limit.reached", { ...key, harness: "" }))).toBe("/dashboard/harnesses");
});

test("the standard body is type, timestamp and data, whatever the data holds", () => {
  const event = eventOf("key.created", { name: "</script>" });
  expect(webhookBody(event, "standard", links)).toEqual({
    type: "key.created",
    timestamp: event.time,
    data: event.data,
  });
});

test("messages link to the page concerned where the gateway's address is known", () => {
  const event = eventOf("limit.near", { id: "a b/c|d>" });
  const page = "https://gateway.example/dashboard/harnesses/a%20b%2Fc%7Cd%3E/limits";
  expect(webhookBody(event, "slack", links)).toMatchObject({
    blocks: [{}, { elements: [{ text: expect.stringContaining(`<${page}|Open the gateway>`) }] }],
  });
  expect(webhookBody(event, "discord", links)).toMatchObject({ embeds: [{ url: page }] });
  expect(JSON.stringify(webhookBody(event, "slack", {}))).not.toContain("http");
  expect(JSON.stringify(webhookBody(event, "discord", {}))).not.toContain("http");
});

const hostile = [
  "<script>alert(1)</script>",
  "*bold* _italic_ ~gone~ **more** __under__ ||hidden||",
  "@everyone @here <@123> <@&456> <#789>",
  "<!channel> &lt;!channel&gt;",
  "`code` ```block```",
  "<https://evil.example|click> [click](https://evil.example) https://evil.example",
  "# heading\n> quote\r\n- list\u2028more",
  "right\u202eto left",
];

test.each(hostile)("Slack shows the name %j as it is and does nothing by it", (name) => {
  const body = webhookBody(eventOf("limit.near", { id: name }), "slack", {});
  const texts = JSON.stringify(body);
  // Slack acts on what stands in angle brackets alone, and on formatting outside of code.
  expect(texts).not.toMatch(/[<>]/);
  const text = "text" in body ? body.text : "";
  expect(text).toMatch(/^Harness `[^`\n]+` has used 80% of a limit/);
  expect(text.replace(/`[^`]*`/g, "")).not.toMatch(/[*_~@]/);
  expect(shown(text)).toContain(visible(name));
});

test.each(hostile)("Discord shows the name %j as it is and does nothing by it", (name) => {
  const body = webhookBody(eventOf("limit.near", { id: name }), "discord", {});
  expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
  const content = "content" in body ? body.content : "";
  expect(content).toMatch(/^Harness `[^`\n]+` has used 80% of a limit/);
  expect(content).toContain(visible(name));
});

/** What Slack shows of the text. */
function shown(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** The name on one line, which no writing turns round. */
function visible(name: string): string {
  return name.replaceAll("`", "'").replace(/[\s\u202e]+/g, " ");
}

test("messages stay within the bounds of Slack and Discord however long names are", () => {
  const names = ["&".repeat(100_000), "𝕏".repeat(100_000), "`".repeat(100_000)];
  for (const name of names)
    for (const type of eventTypes) {
      const event = eventOf(type, { id: name, name, harness: name, provider: name, model: name });
      const slack = webhookBody(event, "slack", {});
      const discord = webhookBody(event, "discord", {});
      expect("text" in slack ? slack.text.length : Infinity).toBeLessThan(3000);
      expect("content" in discord ? discord.content.length : Infinity).toBeLessThan(2000);
      expect(JSON.stringify([slack, discord])).not.toContain("\\ud");
    }
});

test("an event whose data lacks everything is still a sentence with a page", () => {
  for (const type of [...eventTypes, "test"] as const) {
    const event: WorkspaceEvent = { ...eventOf(type), data: { workspace: "w" } };
    expect(plain(event)).toMatch(/^[A-Z].*\.$/);
    expect(plain(event)).not.toMatch(/undefined|NaN|Infinity/);
    expect(eventPage(event)).toMatch(/^\/dashboard/);
  }
});
