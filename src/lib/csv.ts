/** CSV (RFC 4180) that spreadsheets read as text: no cell is taken for a formula. */

/** What spreadsheets take for the beginning of a formula, in any width. */
const formulaStart = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;

/** One line with its end. A cell that would be a formula gets an apostrophe before it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
