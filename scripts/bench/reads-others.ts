/** Requests at a fixed pace, whatever became of those before: a stall delays every one that should have begun in it. */
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Which requests, and how many. */
export interface Pace {
  readonly url: string;
  readonly key: string;
  readonly body: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** Microseconds of every request, from when it was due until its whole answer was there; ascending. */
export async function requestsAtPace(pace: Pace): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true });
  const begun = performance.now();
  const count = Math.round((pace.perSecond * pace.duration) / 1000);
  const running: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    const due = begun + (n * 1000) / pace.perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    running.push(ask(pace, agent).then(() => (performance.now() - due) * 1000));
  }
  const times = await Promise.all(running);
  agent.destroy();
  return times.toSorted((left, right) => left - right);
}

/** Throws on anything but 200. */
function ask({ url, key, body }: Pace, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const request = http.request(url, { method: "POST", headers, agent }, (answer) => {
      answer.resume();
      answer.once("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`status ${answer.statusCode}`));
      });
    });
    request.once("error", reject);
    request.end(body);
  });
}
