/** Renews the benchmark's table in docs/routing.md, between its marks. */
import { readFileSync, writeFileSync } from "node:fs";

const page = "docs/routing.md";
const begin = "<!-- table: sessions -->\n";
const end = "<!-- end -->";

/** Throws where the page has no place for it. */
export function writeTable(table: string): void {
  const text = readFileSync(page, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the table of sessions`);
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n${table}\n\n${text.slice(to)}`);
}
