/** Renews tables in docs/performance.md, each between its marks. */
import { readFileSync, writeFileSync } from "node:fs";

const page = "docs/performance.md";

/** Replaces what stands between `<!-- table: name -->` and `<!-- end -->`. Throws where the page has no such place. */
export function writeTables(tables: Readonly<Record<string, string>>): void {
  let text = readFileSync(page, "utf8");
  for (const [name, table] of Object.entries(tables)) {
    const begin = `<!-- table: ${name} -->\n`;
    const start = text.indexOf(begin);
    const end = text.indexOf("<!-- end -->", start);
    if (start < 0 || end < 0) throw new Error(`${page} has no place for the table ${name}`);
    text = `${text.slice(0, start + begin.length)}\n${table}\n\n${text.slice(end)}`;
  }
  writeFileSync(page, text);
}
