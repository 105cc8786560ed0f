/** The guide to clients says what the dashboard says. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientSnippets } from "../../src/dashboard/pages/connect/snippets.ts";

const guide = readFileSync("docs/clients.md", "utf8");
const values = { origin: "https://gateway.example", key: "YOUR_KEY" };
// It stands in the README.
const clients = clientSnippets(values).filter(({ id }) => id !== "curl");

describe("docs/clients.md", () => {
  it.each(clients)("has the texts that the dashboard shows for $name", ({ name, steps }) => {
    expect(guide).toContain(name);
    for (const { text } of steps) expect(guide).toContain(`\n${text}\n\`\`\``);
  });
});
