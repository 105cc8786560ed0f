/** New rows of the request log as server-sent events, for pages that are open. */
import { changesSince } from "../../../admin/routes/requests/requests.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import { callerIn } from "../../../admin/shared/caller.ts";
import type { AdminScope } from "../../../admin/shared/scope.ts";
import { writeCursor } from "../../../admin/shared/cursor.ts";
import { browserSession } from "../../../admin/shared/credentials/session.ts";
import { mayDo } from "../../../store/roles.ts";
import { RequestRow } from "../../components/request-table.tsx";
import type { PageApp, PageContext } from "../../shared/page-context.ts";
import { namesOfRows, type PeopleNames } from "../../shared/people-names.ts";
import { queryOfView, readLogView } from "./log-address.ts";
import { unreadNotices } from "../notices/seen.ts";

/** Milliseconds between two queries of the workspace's object; it answers from memory. */
const pollInterval = 500;
/**
 * Milliseconds after which a connection ends. The browser then opens a new one that continues where the last one
 * ended: so each connection checks the session again, none outlives its browser, and none delays a shutdown.
 */
const maxDuration = 10_000;
/** Milliseconds until the browser reconnects. */
const retryDelay = 200;

/** Registers `/live`. */
export function liveFeedRoutes(app: PageApp): void {
  app.get("/live", async (c) => {
    const { readable, writable } = new IdentityTransformStream();
    const given = Number(c.req.header("Last-Event-ID") ?? c.req.query("since"));
    c.executionCtx.waitUntil(feed(c, writable, Number.isFinite(given) ? given : 0));
    c.header("Content-Type", "text/event-stream");
    c.header("X-Accel-Buffering", "no");
    return c.body(readable);
  });
}

async function feed(
  c: PageContext,
  writable: WritableStream<Uint8Array>,
  from: number,
): Promise<void> {
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const { viewer } = c.var;
  const { scope } = viewer;
  const startedAt = Date.now();
  let seq = from;
  try {
    await writer.write(encoder.encode(`retry: ${retryDelay}\n\n`));
    const timezone = (await readConfig(scope)).timezone ?? "UTC";
    const view = readLogView(new URL(c.req.url).searchParams);
    const query = queryOfView(view, { now: startedAt, timezone });
    if (mayDo(scope.caller.role, "read"))
      await writer.write(
        encoder.encode(`event: notices\ndata: ${await unreadNotices(c, scope)}\n\n`),
      );
    let people: PeopleNames | undefined;
    while (Date.now() - startedAt < maxDuration) {
      const changes = await changesSince(scope, seq, query);
      // A restarted object counts from its newest row again.
      if (changes.seq < seq) seq = changes.seq;
      if (changes.rows.length > 0 && !(await stillSees(c, scope))) break;
      people ??= await namesOfRows(
        viewer,
        changes.rows.map(({ record }) => record),
      );
      for (const { seq: number, record } of changes.rows) {
        const html = String(<RequestRow {...{ request: record, timezone, viewer, people }} />);
        const data = JSON.stringify({
          html,
          id: record.id,
          cursor: writeCursor(number),
          key: record.key_id ?? null,
          status: record.status,
          outcome: record.outcome,
        });
        await writer.write(encoder.encode(`id: ${number}\ndata: ${data}\n\n`));
        seq = Math.max(seq, number);
      }
      // Rows that do not match were passed too.
      seq = Math.max(seq, changes.seq);
      await scheduler.wait(pollInterval);
    }
    await writer.close();
  } catch {
    // The browser left or the object restarted: the next connection starts over.
    await writer.abort().catch(() => undefined);
  }
}

/** Whether the browser's session holds as what it was: who left or lost a role meanwhile is sent nothing more. */
async function stillSees(c: PageContext, { workspace, caller }: AdminScope): Promise<boolean> {
  const browser = { env: c.env, request: c.req.raw };
  const found = await browserSession(browser, { active: false });
  if (found === undefined) return false;
  // Refused: they belong to no workspace any more.
  const now = await callerIn(c.env, found.session.access, undefined).catch(() => undefined);
  return now?.workspace === workspace && now.caller.role === caller.role;
}
