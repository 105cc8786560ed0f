/** Lists as files: CSV, or one JSON object a line. They are streamed, page by page. */
import { csvLine } from "../../../lib/csv.ts";
import { pacedTexts, pacedStream } from "./paced-text.ts";
import type { AdminScope } from "../scope.ts";

/** The forms in which a list is exported. */
export type ExportFormat = "csv" | "ndjson";

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** The form that an `Accept` header asks for; undefined for plain JSON. */
export function exportFormatOf(accept: string): ExportFormat | undefined {
  if (/\btext\/csv\b/i.test(accept)) return "csv";
  return /\bapplication\/x-ndjson\b/i.test(accept) ? "ndjson" : undefined;
}

/** A list to export. */
export interface ExportedList<Row> {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The row's text for each column. */
  cells(row: Row): readonly string[];
  /** Read as far as the caller takes them. */
  readonly pages: AsyncIterable<readonly Row[]>;
}

/** The answer that holds the whole list. It breaks off where a page cannot be read. */
export function exportResponse<Row>(
  scope: AdminScope,
  format: ExportFormat,
  list: ExportedList<Row>,
): Response {
  return new Response(pacedStream(textsOf(scope, format, list)), {
    headers: {
      "Content-Type": contentTypes[format],
      "Content-Disposition": `attachment; filename="${list.name}.${format}"`,
      "Cache-Control": "no-store",
    },
  });
}

async function* textsOf<Row>(scope: AdminScope, format: ExportFormat, list: ExportedList<Row>) {
  if (format === "csv") yield csvLine(list.columns);
  const line = (row: Row): string =>
    format === "csv" ? csvLine(list.cells(row)) : `${JSON.stringify(row)}\n`;
  yield* pacedTexts(scope.workspace, list.pages, line);
}
