/** What sockets may hold, and how long. */
import { describe, expect, it } from "vitest";
import { memoryBudget } from "../../../src/gateway/isolate/memory-budget.ts";
import { Conversations } from "../../../src/gateway/socket/conversations.ts";
import { Lanes } from "../../../src/gateway/socket/lanes.ts";
import { OpenSockets } from "../../../src/gateway/isolate/open-sockets.ts";
import { isOver, type SocketAge } from "../../../src/gateway/socket/retirement.ts";

const mega = 1024 * 1024;
const conversation = (id: string, bytes: number) => ({ id, items: new Uint8Array(bytes) });

describe("the conversations of a socket", () => {
  it("are the newest of each lane, found by its own lane first", () => {
    const kept = new Conversations(memoryBudget(100 * mega, Date.now).keeper());
    kept.keep("a", conversation("same", 1));
    kept.keep("b", conversation("same", 2));
    kept.keep("a", conversation("same", 3));
    expect(kept.find("same", "a")?.items.length).toBe(3);
    expect(kept.find("same", "b")?.items.length).toBe(2);
    expect(kept.find("same", undefined)).toBeDefined();
    expect(kept.find("other", "a")).toBeUndefined();
  });

  it("take 32 MB at most, and what they take of the isolate's memory comes back", () => {
    const memory = memoryBudget(100 * mega, Date.now);
    const kept = new Conversations(memory.keeper());
    kept.keep("a", conversation("1", 20 * mega));
    kept.keep("b", conversation("2", 20 * mega));
    expect([kept.find("1", "a")?.id, kept.find("2", "b")]).toEqual(["1", undefined]);
    kept.keep("a", conversation("3", mega));
    expect(memory.usage().used).toBe(mega);
    kept.drop();
    expect(memory.usage().used).toBe(0);
  });

  it("are dropped where the isolate has no room, and outlive the time of a request", () => {
    let now = 0;
    const memory = memoryBudget(10 * mega, () => now);
    const kept = new Conversations(memory.keeper());
    kept.keep("a", conversation("1", 6 * mega));
    kept.keep("b", conversation("2", 6 * mega));
    expect(kept.find("2", "b")).toBeUndefined();
    for (; now < 60 * 60_000; now += 60_000) kept.renew();
    expect(memory.keeper().keep(6 * mega)).toBe(false);
    expect(memory.usage().used).toBe(6 * mega);
  });
});

it("messages that wait are bounded by what they take together", () => {
  const lanes = new Lanes(memoryBudget(512 * mega, Date.now).keeper());
  const message = { lane: undefined, size: 20 * mega };
  expect(lanes.enter(message, new Set())).toBe(true);
  expect(lanes.enter(message, new Set())).toBe(false);
  expect(() => lanes.enter(message, new Set())).toThrow("Too many messages");
  expect(lanes.next(undefined)).toBe(message);
  expect(lanes.enter(message, new Set())).toBe(false);
  expect([lanes.next(undefined), lanes.next(undefined)]).toEqual([message, undefined]);
  expect(lanes.isIdle).toBe(true);
});

it("sockets are shared out between keys, and strangers have a part of their own", () => {
  const sockets = new OpenSockets(16, {});
  const first = [1, 2, 3, 4].map(() => sockets.take("key"));
  expect(sockets.take("key")).toBeUndefined();
  const strangers = [1, 2].map(() => sockets.take(undefined));
  expect([sockets.take(undefined), sockets.open]).toEqual([undefined, 6]);
  first[0]?.();
  first[0]?.();
  expect(sockets.open).toBe(5);
  expect(sockets.take("key")).toBeDefined();
  for (const giveBack of [...first, ...strangers]) giveBack?.();
});

describe("a socket", () => {
  const young: SocketAge = {
    since: 0,
    responses: 0,
    proven: true,
    isFull: false,
    isDraining: false,
    isHosted: false,
  };
  const minutes = (count: number): number => count * 60_000;
  it.each<[string, Partial<SocketAge> & { now: number }, boolean]>([
    ["lives for an hour", { now: minutes(60) - 1 }, false],
    ["ends after it", { now: minutes(60) }, true],
    ["of a stranger ends after a minute", { proven: false, now: minutes(1) }, true],
    ["ends with its process", { isDraining: true, now: 0 }, true],
    ["ends when too much may be unread", { isFull: true, now: 0 }, true],
    ["serves any number of responses", { responses: 100_000, now: 0 }, false],
    ["serves a hundred on the platform", { responses: 100, isHosted: true, now: 0 }, true],
  ])("%s", (_, { now, ...more }, over) => {
    expect(isOver({ ...young, ...more }, now)).toBe(over);
  });
});
