/** Events, webhooks and what is on its way to them. */
export function keepEvents(_sql: SqlStorage): void {
  // Its tables follow.
}
