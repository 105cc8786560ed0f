/** docs/observability.md says of every metric what the gateway itself says of it. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { counters, type Family, gauges, histograms } from "../../src/telemetry/metrics/families.ts";

const families: readonly Family[] = [
  ...Object.values(counters),
  ...Object.values(histograms),
  ...Object.values(gauges),
];

/** A row of the table. */
function rowOf({ name, labels, help }: Family): string {
  const named = labels.length === 0 ? "" : labels.map((label) => `\`${label}\``).join(", ");
  return `| \`${name}\` | ${named} | ${help} |`.replaceAll("|  |", "| |");
}

it("the table of metrics in docs/observability.md is the list that is served", () => {
  const text = readFileSync("docs/observability.md", "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("| `gateway_"));
  expect(rows).toEqual(families.map(rowOf));
});

it("names are Prometheus's: one prefix, seconds and bytes, counters end in _total", () => {
  for (const { name, type, help } of families) {
    expect(name).toMatch(/^gateway_[a-z_]+$/);
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    expect(help, name).toMatch(/^[^\n\\|]{10,300}\.$/);
  }
});
