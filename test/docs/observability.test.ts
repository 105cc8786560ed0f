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

it("every setting has its place in a table", () => {
  const source = readFileSync("src/store/env.ts", "utf8");
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+)\??: string;$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(30);
  const tables = ["README.md", "docs/people.md", "docs/observability.md"]
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|")[1] ?? "");
  const listed = new Set(
    tables.flatMap(
      (cell) => cell.replace("`…", "`OTEL_EXPORTER_OTLP").match(/[A-Z][A-Z_]+/g) ?? [],
    ),
  );
  expect(names.filter((name) => !listed.has(name) && !internal.has(name))).toEqual([]);
});
