/** Columns of the request log by which rows are found and added up. */
export function describeRequests(_sql: SqlStorage): void {
  // Its tables follow.
}
