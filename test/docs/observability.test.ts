/** What the documentation shows of events, webhooks and settings is what the code has. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verifyInNode } from "../../src/dashboard/pages/webhooks/verify-snippet.ts";
import { eventTypes } from "../../src/workspace/contract/events.ts";

const observability = readFileSync("docs/observability.md", "utf8");

/** Set by the launcher itself. */
const internal = new Set(["LISTEN_HOST", "DESCRIPTOR_LIMIT", "HOST_TOKEN", "BOOT_ID"]);

it("the table of events has every type, each once and in their order", () => {
  const [, section = ""] = observability.split(/^## Events$/m);
  const [table = ""] = section.split(/^## /m);
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  const types = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([\w.]+)`/g)].map(([, type]) => type),
  );
  expect(types).toEqual([...eventTypes]);
});

it("signatures are verified by the same lines as on the page", () => {
  expect(observability).toContain(`\`\`\`js\n${verifyInNode}\n\`\`\``);
});

it("every setting has a section of its own, and those that the launcher sets have none", () => {
  const source = readFileSync("src/store/env.ts", "utf8");
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+)\??: string;$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(30);
  const settings = readFileSync("docs/settings.md", "utf8");
  const listed = [...settings.matchAll(/^### ([A-Z_]+)$/gm)].map(([, name = ""]) => name);
  expect(listed.toSorted()).toEqual(names.filter((name) => !internal.has(name)).toSorted());
});
