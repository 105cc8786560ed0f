/** How a gateway ends: running answers finish, and the terminal shows what it waits for. */
import { setTimeout as sleep } from "node:timers/promises";
import { adminOf } from "./admin.ts";

/** How long running answers may take to finish after a signal, ms. */
export const drainPatience = 60_000;
/**
 * So long before the end streams that still run are told of it, and so long the telling may take, in ms: workspaces then
 * write what they hold, which takes three seconds where hundreds of them do.
 */
const farewell = 5000;

/** The gateway that ends. */
export interface EndingGateway {
  readonly base: string;
  readonly hostToken: string;
}

/** Lets streams end with an error event before the process is ended; one that cannot be told breaks off. */
export async function announceEnd({ base, hostToken }: EndingGateway): Promise<void> {
  const seconds = (drainPatience - farewell) / 1000;
  const told = adminOf(base, hostToken).post("/api/drain", { seconds });
  await Promise.race([told.catch(() => undefined), sleep(farewell)]);
}

/**
 * Tells of the requests that still run, each time their number changes. Resolves when the answer began: only then may
 * workerd be told to end, because it takes no new connections afterwards.
 */
export async function followEnd(
  { base, hostToken }: EndingGateway,
  tell: (line: string) => void,
): Promise<void> {
  const answer = await fetch(`${base}/api/drain`, {
    headers: { authorization: `Bearer ${hostToken}`, accept: "application/x-ndjson" },
    signal: AbortSignal.timeout(drainPatience),
  }).catch(() => undefined);
  if (answer?.ok !== true || answer.body === null) return;
  // It is cut off where the process ends first.
  void tellLines(answer.body, tell).catch(() => undefined);
}

async function tellLines(
  body: ReadableStream<Uint8Array>,
  tell: (line: string) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let first = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // The gateway writes whole lines, one at a time.
    for (const text of value.split("\n").filter((line) => line !== "")) {
      const line = progressLine(text, first);
      first = false;
      if (line !== undefined) tell(line);
    }
  }
}

/** In words; undefined where nothing runs. */
function progressLine(text: string, first: boolean): string | undefined {
  // The gateway's own line.
  const { requests, streams } = JSON.parse(text) as { requests: number; streams: number };
  if (requests === 0) return undefined;
  const running = `${requests} ${requests === 1 ? "request" : "requests"} running`;
  const of = streams === 0 ? "" : ` (${streams} ${streams === 1 ? "stream" : "streams"})`;
  const advice = ` They have up to ${drainPatience / 1000} s; press Ctrl-C again to stop now.`;
  return `Stopping: ${running}${of}.${first ? advice : ""}`;
}
