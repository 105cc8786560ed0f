/** The request log as a file. */
import { type ExportFormat, exportResponse } from "../../shared/export/export.ts";
import type { AdminScope } from "../../shared/scope.ts";
import { pageOfRequests } from "./request-pages.ts";
import type { RequestsQuery } from "./request-query.ts";
import type { RequestView } from "./request-view.ts";

/** Rows of one page of an export: others wait while one is made, and texts are long. */
const exportedRows: Readonly<Record<ExportFormat, number>> = { csv: 50, ndjson: 25 };

/** Every row that matches, newest first; as lines of JSON with its texts where they are kept. */
export function exportRequests(
  scope: AdminScope,
  query: RequestsQuery,
  format: ExportFormat,
): Response {
  return exportResponse(scope, format, {
    name: "requests",
    columns: columns.map(([name]) => name),
    cells: (row) => columns.map(([, cell]) => cellText(cell(row))),
    pages: allPages(scope, query, format),
  });
}

async function* allPages(
  scope: AdminScope,
  query: RequestsQuery,
  format: ExportFormat,
): AsyncGenerator<RequestView[]> {
  const { before: _, ...conditions } = query;
  const asked = { ...conditions, limit: exportedRows[format] };
  const texts = format === "ndjson";
  let page = await pageOfRequests(scope, asked, { texts });
  yield page.data;
  while (page.next !== null) {
    page = await pageOfRequests(scope, { ...asked, before: page.next }, { texts });
    yield page.data;
  }
}

type Cell = string | number | boolean | null | undefined;

const columns: readonly (readonly [string, (row: RequestView) => Cell])[] = [
  ["id", ({ id }) => id],
  ["time", ({ time }) => time],
  ["outcome", ({ outcome }) => outcome],
  ["status", ({ status }) => status],
  ["blocked_by", (row) => row.blocked_by],
  ["harness", ({ harness }) => harness],
  ["key", ({ key }) => key],
  ["key_id", (row) => row.key_id],
  ["person", ({ person }) => person],
  ["session", ({ session }) => session],
  ["agent", ({ agent }) => agent],
  ["role", ({ role }) => role],
  ["tags", ({ tags }) => tagList(tags)],
  ["format", ({ format }) => format],
  ["stream", ({ stream }) => stream],
  ["requested_model", (row) => row.requested_model],
  ["model", ({ model }) => model],
  ["provider", ({ provider }) => provider],
  ["tier", ({ tier }) => tier],
  ["attempts", ({ attempts }) => attempts.length],
  ["input_tokens", ({ usage }) => usage?.input_tokens],
  ["cached_tokens", ({ usage }) => usage?.cached_tokens],
  ["cache_write_tokens", ({ usage }) => usage?.cache_write_tokens],
  ["output_tokens", ({ usage }) => usage?.output_tokens],
  ["reasoning_tokens", ({ usage }) => usage?.reasoning_tokens],
  ["cost", ({ cost }) => cost],
  ["first_byte_ms", (row) => row.first_byte_ms],
  ["total_ms", (row) => row.total_ms],
  ["error", ({ error }) => error],
];

function cellText(value: Cell): string {
  return value === null || value === undefined ? "" : String(value);
}

/** As the header has them: `env=prod,team=red`. */
export function tagList(tags: RequestView["tags"] = {}): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}
