/** What sockets may hold, and how long. */
import { describe, expect, it } from "vitest";
import { memoryBudget } from "../../../src/gateway/isolate/memory-budget.ts";
import { Conversations } from "../../../src/gateway/socket/conversations.ts";
import { Lanes } from "../../../src/gateway/socket/lanes.ts";
import { OpenSockets, type SocketCaller } from "../../../src/gateway/isolate/open-sockets.ts";
import { CheapMessages } from "../../../src/gateway/socket/cheap-messages.ts";
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

it("sockets are shared out between keys, and strangers have a part of their own, each address a quarter of it", () => {
  const sockets = new OpenSockets(64, {});
  const open = (times: number, caller: SocketCaller): number =>
    Array.from({ length: times }, () => sockets.take(caller)).filter((taken) => taken).length;
  const first = sockets.take({ key: "gw_a" });
  expect([open(20, { key: "gw_a" }), open(20, { key: "gw_b" })]).toEqual([15, 16]);
  const addresses = ["a", "b", "c", "d", "e"].map((address) => open(5, { address }));
  expect(addresses).toEqual([2, 2, 2, 2, 0]);
  expect(sockets.open).toBe(40);
  first?.();
  first?.();
  expect([sockets.open, open(2, { key: "gw_a" })]).toEqual([39, 1]);
});

it("messages that no model is asked for are counted for a minute, and so are their characters", () => {
  let now = 0;
  const counted = (sizes: readonly number[]): number => {
    const cheap = new CheapMessages(() => now);
    return sizes.findIndex((size) => cheap.count(size));
  };
  expect(counted(Array.from({ length: 200 }, () => 1))).toBe(100);
  expect(counted([32 * mega, 32 * mega, 1])).toBe(2);
  const cheap = new CheapMessages(() => now);
  for (let minute = 0; minute < 3; minute++, now += 60_000)
    for (let message = 0; message < 100; message++) expect(cheap.count(1)).toBe(false);
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
