/** A day of the outbox, by a clock that the test moves: how often a delivery is tried, and who waits for whom. */
import { describe, expect, it } from "vitest";
import type { Delivery, WorkspaceEvent } from "../../../src/workspace/contract/events.ts";
import { Outbox } from "../../../src/workspace/events/outbox.ts";
import type { Attempt } from "../../../src/workspace/events/send.ts";
import { webhookStats } from "../../../src/workspace/events/stats.ts";
import { Webhooks } from "../../../src/workspace/events/webhooks.ts";
import { webhookBackoff } from "../../../src/workspace/rules/events/backoff.ts";
import { pageDeliveries } from "../../../src/workspace/storage/tables/deliveries.ts";
import { newWorkspace } from "../workers-kit.ts";
import { inObject, madeWebhook } from "./kit.ts";

const day = 86_400_000;
const arrived: Attempt = { status: 200, error: null };
const late: Attempt = { status: null, error: "no answer within 10 s" };
const failed: Attempt = { status: 500, error: "answered 500" };

interface Sent {
  /** Milliseconds since the beginning. */
  at: number;
  to: string;
  event: string;
}

/** How the receivers at these addresses answer, by the time and what they are sent. */
type Receivers = Record<string, (sent: Sent) => Attempt | "hang">;

/** Adds the events at their times and runs until nothing waits any more. */
async function run(
  receivers: Receivers,
  times: readonly number[],
): Promise<{ sent: Sent[]; ended: Record<string, Delivery[]> }> {
  const workspace = newWorkspace();
  return await inObject(workspace, async (storage) => {
    let [clock, armed] = [0, null as number | null];
    const sent: Sent[] = [];
    const hanging: { until: number; end: () => void }[] = [];
    const hang = async (): Promise<Attempt> => {
      await new Promise<void>((end) => hanging.push({ until: clock + 10_000, end }));
      return late;
    };
    const webhooks = new Webhooks({ workspace, storage, note: () => undefined });
    for (const url of Object.keys(receivers))
      webhooks.add((await madeWebhook(workspace, url)).record, undefined);
    const outbox = new Outbox({
      workspace,
      storage,
      webhooks,
      send: async ({ url }, { id }) => {
        const one = { at: clock, to: url, event: id };
        sent.push(one);
        const answer = (receivers[url] ?? (() => arrived))(one);
        return answer === "hang" ? await hang() : answer;
      },
      backoff: webhookBackoff,
      now: () => clock,
      random: () => 1,
      arm: (time) => (armed = time),
    });
    const coming = times.map((time, index) => ({ time, event: eventOf(`evt_${index}`, time) }));
    for (let round = 0; round < 2000; round += 1) {
      const before = sent.length;
      while ((coming[0]?.time ?? Infinity) <= clock) {
        const next = coming.shift();
        if (next !== undefined) storage.transactionSync(() => outbox.add(next.event));
      }
      while ((hanging[0]?.until ?? Infinity) <= clock) hanging.shift()?.end();
      outbox.wake();
      await scheduler.wait(2);
      if (sent.length > before) continue;
      const next = Math.min(
        armed ?? Infinity,
        coming[0]?.time ?? Infinity,
        hanging[0]?.until ?? Infinity,
      );
      if (next === Infinity) break;
      clock = Math.max(clock + 1, next);
    }
    const ended: [string, Delivery[]][] = Array.from(webhooks.all, ({ id, url }) => [
      url,
      pageDeliveries(storage.sql, id, { limit: 100 }).deliveries.reverse(),
    ]);
    return { sent, ended: Object.fromEntries(ended) };
  });
}

function eventOf(id: string, time: number): WorkspaceEvent {
  return { seq: 1, id, type: "key.created", time: new Date(time).toISOString(), data: {} };
}

describe("in a day", () => {
  it("a delivery that never arrives is tried a dozen times, then it is given up", async () => {
    const before = webhookStats();
    const { sent, ended } = await run({ "http://dead/": () => failed }, [0]);
    expect(sent.length).toBeGreaterThanOrEqual(11);
    expect(sent.length).toBeLessThanOrEqual(13);
    expect(sent.at(-1)?.at).toBeGreaterThan(0.9 * day);
    expect(sent.at(-1)?.at).toBeLessThanOrEqual(day);
    expect(ended["http://dead/"]).toMatchObject([
      { state: "failed", attempts: sent.length, status: 500, next_at: null },
    ]);
    expect(webhookStats()).toEqual({ ...before, queued: 0, dropped: before.dropped + 1 });
  });

  it("a receiver that comes back gets what waited at once, in order", async () => {
    const back = 3 * 3_600_000;
    const { sent, ended } = await run(
      { "http://late/": ({ at }) => (at < back ? failed : arrived) },
      [0, 60_000, 3_600_000, 7_200_000],
    );
    const afterwards = sent.filter(({ at }) => at >= back);
    expect(afterwards.length).toBe(4);
    expect((afterwards.at(-1)?.at ?? 0) - (afterwards[0]?.at ?? 0)).toBeLessThan(1000);
    const rest = afterwards.slice(1).map(({ event }) => event);
    expect(rest).toEqual(rest.toSorted());
    expect(ended["http://late/"]?.map(({ state }) => state)).toEqual(
      Array.from({ length: 4 }, () => "delivered"),
    );
  });

  it("ten receivers that hang leave a place for one that answers", async () => {
    const hour = 3_600_000;
    const dead = Array.from({ length: 10 }, (_, n) => [`http://dead${n}/`, () => "hang"] as const);
    const receivers = { ...Object.fromEntries(dead), "http://good/": () => arrived };
    const times = [0, hour, 2 * hour, 3 * hour];
    const { sent } = await run(receivers, times);
    const good = sent.filter(({ to }) => to === "http://good/").map(({ at }) => at);
    // The first time nobody knows yet which of them hang.
    expect(good[0]).toBeLessThanOrEqual(30_000);
    expect(good.slice(1)).toEqual(times.slice(1));
  });

  it("an event that its receiver refuses holds up no other, nor another receiver", async () => {
    const { sent } = await run(
      {
        "http://picky/": ({ event }) => (event === "evt_0" ? failed : arrived),
        "http://good/": () => arrived,
      },
      [0, 1000, 2000, 600_000],
    );
    const times = (to: string) =>
      sent.filter((one) => one.to === to && one.event !== "evt_0").map(({ at }) => at);
    expect(times("http://good/")).toEqual([1000, 2000, 600_000]);
    const delays = times("http://picky/").map(
      (at, index) => at - ([1000, 2000, 600_000][index] ?? 0),
    );
    expect(Math.max(...delays)).toBeLessThanOrEqual(2000);
    expect(
      sent.filter(({ to, event }) => to === "http://picky/" && event === "evt_0").length,
    ).toBeLessThan(15);
  });
});
