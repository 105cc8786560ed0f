/** docs/configuration.md has every member of the document. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  configSchema,
  harnessSchema,
  limitSchema,
  providerSchema,
  routingSchema,
} from "../../src/store/config.ts";

const guide = readFileSync("docs/configuration.md", "utf8");

/** Names in the first column of a section's table. */
function membersIn(section: string): string[] {
  const [, text = ""] = guide.split(`\n## ${section}\n`);
  const [table = ""] = text.split(/^## /m);
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
}

it.each([
  ["The document", configSchema],
  ["A provider", providerSchema],
  ["A harness", harnessSchema],
  ["Routing", routingSchema],
  ["A limit", limitSchema],
])("%s: each member once, in the schema's order", (section, schema) => {
  expect(membersIn(section)).toEqual(Object.keys(schema.shape));
});
