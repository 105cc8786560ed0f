/** Ctrl-C in the middle of a stream: the provider's call ends, and the row says that the client left. */
import { setTimeout as sleep } from "node:timers/promises";
import { isMainRequest, pausedStream, textAnswer } from "./answers.ts";
import type { Bench } from "./bench.ts";
import type { Trial } from "./trial.ts";

/** Seconds that something may take which usually takes a few. */
const patience = 20;
/** Seconds until somebody would press Ctrl-C once more. */
const secondTry = 5;
/** Seconds until a program that has just started may have asked: on a busy machine some need half a minute. */
const startPatience = 80;

export const abortTrial: Trial = {
  name: "abort",
  async run(bench) {
    const { format } = bench.names;
    bench.provider.respond = (request) =>
      isMainRequest(request, format)
        ? pausedStream(format, "a long answer that nobody waits for", "hang")
        : textAnswer(request, format, "Title");
    const running = await bench.start();
    const asked = await until(() => mainRequests(bench)[0], startPatience);
    if (asked === undefined) {
      running.interrupt();
      return ["the provider was never asked", (await running.ended).output.slice(-600)];
    }
    // It has seen the first pieces by then.
    await sleep(1500);
    running.interrupt();
    const problems: string[] = [];
    // opencode misses the first one now and then, whatever stands between it and its provider.
    const again = setTimeout(() => running.interrupt(), secondTry * 1000);
    const ended = await Promise.race([running.ended, sleep(patience * 1000)]);
    clearTimeout(again);
    if (ended === undefined) problems.push("Ctrl-C did not end it");
    const left = await until(() => asked.leftAt);
    if (left === undefined) problems.push("the provider's call was not aborted");
    const row = await until(async () => (await bench.rows()).find((one) => one.outcome === "left"));
    if (row === undefined) problems.push("no row says that the client left");
    return problems;
  },
};

function mainRequests(bench: Bench) {
  const { received } = bench.provider;
  return received.filter((request) => isMainRequest(request, bench.names.format));
}

async function until<T>(look: () => T | Promise<T>, seconds = patience): Promise<T | undefined> {
  for (let tries = 0; tries < seconds * 10; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  return undefined;
}
