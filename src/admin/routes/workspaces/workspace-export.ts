/** Everything that a workspace holds, line by line. */
import * as z from "zod";
import { maskedConfig } from "../../../store/secrets.ts";
import { jurisdictionOf } from "../../../store/jurisdiction.ts";
import { toDollars } from "../../../workspace/rules/sums/cost.ts";
import { writeCursor } from "../../shared/cursor.ts";
import { type AdminScope, askWorkspace, readSnapshot } from "../../shared/scope.ts";
import { eventView, readEvents } from "../events/events.ts";
import { listKeys } from "../document/keys.ts";
import { requestView } from "../requests/request-view.ts";
import { sumPages } from "../usage/usage-sums.ts";
import { listWebhooks, maskedUrl } from "../events/webhooks.ts";

/** What a line is about; the rest is as the routes of the API show it. */
export const exportedLineSchema = z.looseObject({
  type: z.enum(["workspace", "document", "key", "webhook", "event", "request", "sum"]),
});
/** One line. */
export type ExportedLine = z.infer<typeof exportedLineSchema>;

/** Rows that are asked for together; with their texts, which have at most 40 KB each. */
const rowsOfPage = 25;
const eventsOfPage = 200;

/**
 * The document without secrets, keys without what they are known by, webhooks without secret and path, events, the log
 * with its texts, and sums by day.
 */
export async function* exportedLines(scope: AdminScope): AsyncGenerator<ExportedLine> {
  const { workspace } = scope;
  yield { type: "workspace", id: workspace, jurisdiction: jurisdictionOf(workspace) };
  const { config } = await readSnapshot(scope);
  yield { type: "document", document: maskedConfig(config) };
  for (const { id } of config.harnesses ?? [])
    for (const key of await listKeys(scope, id)) yield { type: "key", harness: id, key };
  for (const webhook of await listWebhooks(scope))
    yield { type: "webhook", webhook: { ...webhook, url: maskedUrl(webhook.url) } };
  yield* eventLines(scope);
  yield* requestLines(scope);
  const span = { from: 0, to: Date.now() + 1, group: "model", by: "day" } as const;
  for await (const page of sumPages(scope, span))
    for (const { bucket, group, cost, ...counts } of page) {
      const time = new Date(bucket).toISOString();
      yield { type: "sum", time, model: group, ...counts, cost: toDollars(cost) };
    }
}

/** Newest first. */
async function* eventLines(scope: AdminScope): AsyncGenerator<ExportedLine> {
  let before: string | undefined;
  do {
    const page = await readEvents(scope, { limit: eventsOfPage, before });
    for (const event of page.events) yield { type: "event", event: eventView(event) };
    before = page.next === null ? undefined : writeCursor(page.next);
  } while (before !== undefined);
}

/** Newest first. */
async function* requestLines(scope: AdminScope): AsyncGenerator<ExportedLine> {
  let before: number | undefined;
  for (let more = true; more;) {
    const filter = { limit: rowsOfPage, texts: true, ...(before !== undefined && { before }) };
    const page = await askWorkspace(scope, (stub) => stub.pageRequests(filter));
    for (const { record } of page.rows) yield { type: "request", request: requestView(record) };
    before = page.rows.at(-1)?.seq;
    more = page.more && before !== undefined;
  }
}
