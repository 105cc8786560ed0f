/** New rows of the request log as server-sent events, for pages that are being watched. */
import { changesSince } from "../admin/routes/requests.ts";
import { readConfig } from "../admin/routes/config.ts";
import { RequestRow } from "./pages/request-row.tsx";
import type { PageApp, PageContext } from "./shared/page-context.ts";

/** Between two questions to the workspace's object; it answers from memory. */
const interval = 500;
/**
 * A connection ends after so long, and the browser makes a new one that goes on where it ended: each one
 * proves its session anew, none outlives a browser that left, and none holds up the end of the process.
 */
const longest = 10_000;
/** Milliseconds until the browser comes back. */
const pause = 200;

export function liveRoutes(app: PageApp): void {
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
  const { scope } = c.var.viewer;
  const begun = Date.now();
  let seq = from;
  try {
    await writer.write(encoder.encode(`retry: ${pause}\n\n`));
    const timezone = (await readConfig(scope)).timezone ?? "UTC";
    while (Date.now() - begun < longest) {
      const changes = await changesSince(scope, seq);
      // An object that lost its memory counts from its newest row again.
      if (changes.seq < seq) seq = changes.seq;
      for (const { seq: number, record } of changes.rows) {
        const html = String(<RequestRow request={record} timezone={timezone} />);
        const data = JSON.stringify({
          html,
          id: record.id,
          key: record.key_id ?? null,
          status: record.status,
        });
        await writer.write(encoder.encode(`id: ${number}\ndata: ${data}\n\n`));
        seq = Math.max(seq, number);
      }
      await scheduler.wait(interval);
    }
    await writer.close();
  } catch {
    // The browser left, or the object was restarted; in both cases a new connection starts over.
    await writer.abort().catch(() => undefined);
  }
}
