/** What still runs while the process ends. */
import type { Services } from "../../../gateway/services.ts";

type Ending = Pick<Services, "drain" | "inFlight">;

/** Milliseconds between two looks at what runs. */
const lookInterval = 200;

/**
 * A line of JSON with the counts whenever they change, `{ "requests", "streams" }`; ends when nothing runs any more or no
 * end is announced. As a stream, because a process that ends takes no new connections.
 */
export function drainProgress(services: Ending): Response {
  const { readable, writable } = new IdentityTransformStream();
  void writeCounts(services, writable).catch(() => undefined);
  return new Response(readable, { headers: { "Content-Type": "application/x-ndjson" } });
}

async function writeCounts(
  { drain, inFlight }: Ending,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let told = "";
  for (;;) {
    const counts = inFlight.counts();
    const line = `${JSON.stringify(counts)}\n`;
    if (line !== told) await writer.write(encoder.encode(line));
    told = line;
    if (counts.requests === 0 || !drain.announced()) break;
    await scheduler.wait(lookInterval);
  }
  await writer.close();
}
