/** The memory of ended requests: what is in doubt is sent again, and one flush at a time counts. */
import { describe, expect, it } from "vitest";
import type { RequestEnd } from "../../src/workspace/contract/request-end.ts";
import { type EndedBatch, sentOf } from "../../src/workspace/client/ended-backlog.ts";
import { EndedQueue } from "../../src/workspace/client/ended-queue.ts";
import { record } from "./rules/kit.ts";

function ended(id: string): RequestEnd {
  return { kind: "settled", record: record(id) };
}

function queueAt(): { queue: EndedQueue; pass(ms: number): void } {
  let now = 1_000_000;
  return {
    queue: new EndedQueue(() => now),
    pass(ms) {
      now += ms;
    },
  };
}

function namesOf(batch: EndedBatch | undefined): string[] {
  return batch === undefined
    ? []
    : sentOf(batch).map(({ ended: one, again }) =>
        again === true ? `${one.record.id} again` : one.record.id,
      );
}

function took(batch: EndedBatch | undefined): EndedBatch {
  if (batch === undefined) throw new Error("nothing waits");
  return batch;
}

describe("what waits", () => {
  it("is sent once, in its order, and is gone when it is booked", () => {
    const { queue } = queueAt();
    for (const id of ["a", "b"]) queue.add("w", ended(id));
    const batch = queue.take("w");
    expect(namesOf(batch)).toEqual(["a", "b"]);
    expect(queue.take("w")).toBeUndefined();
    expect(queue.holds("w")).toBe(true);
    queue.booked("w", took(batch));
    expect(queue.holds("w")).toBe(false);
    expect(queue.workspaces()).toEqual([]);
  });

  it("is sent first of all again when its call failed", () => {
    const { queue } = queueAt();
    queue.add("w", ended("a"));
    const batch = took(queue.take("w"));
    queue.add("w", ended("b"));
    queue.failed("w", batch);
    expect(namesOf(queue.take("w"))).toEqual(["a again", "b"]);
  });

  it("is sent again when its call tells nothing for long, and what that says later changes nothing", () => {
    const { queue, pass } = queueAt();
    queue.add("w", ended("a"));
    const silent = took(queue.take("w"));
    pass(4000);
    expect(queue.take("w")).toBeUndefined();
    pass(2000);
    const second = took(queue.take("w"));
    expect(namesOf(second)).toEqual(["a again"]);
    queue.failed("w", silent);
    expect(queue.take("w")).toBeUndefined();
    queue.booked("w", second);
    queue.booked("w", silent);
    expect(queue.size("w")).toBe(0);
  });

  it("is not sent where a lost call turns out to have booked it", () => {
    const { queue, pass } = queueAt();
    queue.add("w", ended("a"));
    const silent = took(queue.take("w"));
    pass(6000);
    const second = took(queue.take("w"));
    queue.failed("w", second);
    queue.booked("w", silent);
    expect(queue.take("w")).toBeUndefined();
    expect(queue.holds("w")).toBe(false);
  });

  it("goes along with whoever must know, though it is under way", () => {
    const { queue } = queueAt();
    queue.add("w", ended("a"));
    queue.take("w");
    queue.add("w", ended("b"));
    expect(namesOf(queue.takeAll("w")).toSorted()).toEqual(["a again", "b"]);
  });

  it("is nobody else's", () => {
    const { queue } = queueAt();
    queue.add("one", ended("a"));
    queue.add("other", ended("b"));
    expect(namesOf(queue.takeAll("one"))).toEqual(["a"]);
    expect(namesOf(queue.takeAll("other"))).toEqual(["b"]);
  });

  it("is bounded, for one workspace and for all, and room comes back", () => {
    const { queue } = queueAt();
    let kept = 0;
    while (queue.add("w", ended("r"))) kept += 1;
    expect(kept).toBe(500);
    for (let n = 0; n < 1500; n += 1) expect(queue.add(`w${n}`, ended("r"))).toBe(true);
    expect(queue.add("late", ended("r"))).toBe(false);
    expect(queue.clear("w")).toBe(500);
    expect(queue.add("late", ended("r"))).toBe(true);
  });

  it("is at most two hundred in one call", () => {
    const { queue } = queueAt();
    for (let n = 0; n < 250; n += 1) queue.add("w", ended(`r${n}`));
    expect(queue.exceedsOneCall("w")).toBe(true);
    expect(namesOf(queue.take("w"))).toHaveLength(200);
    expect(namesOf(queue.take("w"))).toHaveLength(50);
  });
});

describe("flushes", () => {
  it("are planned once, and anew when one has begun", () => {
    const { queue, pass } = queueAt();
    queue.add("w", ended("a"));
    const first = queue.planFlush("w", 10);
    expect(first).toBeDefined();
    pass(5);
    expect(queue.planFlush("w", 10)).toBeUndefined();
    pass(5);
    // Whoever runs it may be gone.
    expect(queue.planFlush("w", 10)).toBeDefined();
    expect(first !== undefined && queue.isCurrent(first)).toBe(false);
  });

  it("come at once where somebody waits for a slot", () => {
    const { queue } = queueAt();
    queue.add("w", ended("a"));
    queue.planFlush("w", 500);
    queue.asks("w");
    expect(queue.planFlush("w", 500)).toMatchObject({ wakesAt: 1_000_000 });
    queue.answered("w");
    queue.add("w", ended("b"));
    expect(queue.planFlush("w", 500)).toMatchObject({ wakesAt: 1_000_500 });
  });
});
