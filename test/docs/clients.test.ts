/** The guides to clients say what the dashboard says. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientSnippets } from "../../src/dashboard/pages/connect/snippets.ts";

const index = readFileSync("docs/clients.md", "utf8");
const clients = clientSnippets({ origin: "https://gateway.example", key: "YOUR_KEY" });

/** The page's file, and its heading, of an address like `/docs/clients/sdks#langchain`. */
function pageOf(guide: string): { file: string; heading: string } {
  const [page = "", heading = ""] = guide.split("#", 2);
  return { file: `${page.slice(1)}.md`, heading };
}

describe("docs/clients", () => {
  it.each(clients)("has the texts that the dashboard shows for $name", (client) => {
    const { file, heading } = pageOf(client.guide);
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, "utf8");
    if (heading !== "") expect(headingsIn(text)).toContain(heading);
    if (client.command !== undefined) expect(text).toContain(`\n${client.command}\n\`\`\``);
    for (const step of client.steps) expect(text).toContain(`\n${step.text}\n\`\`\``);
  });

  it.each(clients)("the index leads to $name", ({ guide }) => {
    expect(index).toContain(`](${pageOf(guide).file.replace("docs/", "")})`);
  });
});

/** Headings as the addresses of a page name them. */
function headingsIn(text: string): string[] {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) => heading.toLowerCase().replaceAll(" ", "-"));
}
