/** What the soak proves, one promise a function. Each throws when the promise is broken. */
import assert from "node:assert/strict";
import {
  admin,
  chat,
  configure,
  newRoom,
  tally,
  times,
  until,
  verdict,
  type Lab,
  type Room,
} from "./client.ts";
import { addressHeader } from "./host.ts";
import type { Provider } from "./provider.ts";

export interface Bench extends Lab {
  provider: Provider;
}

/** At most 200 a minute in a workspace, with 30 % more offered; none of the refused reaches the provider. */
export async function workspaceWindow(bench: Bench): Promise<void> {
  const room = await newRoom(bench);
  bench.provider.reset();
  const verdicts: string[] = [];
  // Ten at a time, so that no call is refused for want of a slot.
  for (let sent = 0; sent < 260; sent += 10) {
    verdicts.push(...(await Promise.all(times(10, () => verdict(bench, room)))));
  }
  assert.deepEqual(tally(verdicts), { "200": 200, M201: 60 });
  assert.equal(bench.provider.books.requests, 200);
}

/** At most 500 a minute from the strangers of an address; a good key is served from there meanwhile. */
export async function addressWindow(bench: Bench): Promise<void> {
  const room = await newRoom(bench);
  const stranger = { ...room, key: "gw_guess" };
  const calls = times(650, (index) => verdict(bench, { ...room, key: `gw_guess${index}` }));
  assert.deepEqual(tally(await Promise.all(calls)), { M005: 500, M202: 150 });
  assert.equal(await verdict(bench, stranger), "M202");
  assert.equal(await verdict(bench, room), "200");
  // Headers of other names are not believed.
  const forged = {
    "x-forwarded-for": "192.0.2.1",
    "cf-connecting-ip": "192.0.2.1",
    "x-real-ip": "192.0.2.1",
  };
  assert.equal(await verdict(bench, stranger, { headers: forged }), "M202");
  assert.equal(
    await verdict(bench, stranger, { headers: { [addressHeader]: "10.255.255.255" } }),
    "M005",
  );
}

/** Exactly ten requests of a workspace are under way. */
export async function slots(bench: Bench): Promise<void> {
  const room = await newRoom(bench);
  const leave = await holdAll(bench, room);
  assert.equal(await verdict(bench, room), "M203");
  leave();
  assert.ok(
    await until(() => inFlight(bench, room).then((count) => count === 0), 2000),
    "slots are free in 2 s",
  );
  assert.equal(await verdict(bench, room), "200");
}

/** A slot lasts as long as its request, however long that is, and not longer. */
export async function longStreams(bench: Bench, seconds: number): Promise<void> {
  const room = await newRoom(bench);
  const leave = await holdAll(bench, room);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  assert.equal(await verdict(bench, room), "M203");
  leave();
  const freed = () => inFlight(bench, room).then((open) => open === 0);
  assert.ok(await until(freed, 2000), "slots are free two seconds after their clients left");
}

/** Opens ten streams and sees that three more find no slot; the result leaves them all. */
async function holdAll(bench: Bench, room: Room): Promise<() => void> {
  const controller = new AbortController();
  const ask = { prompt: "hold", stream: true, signal: controller.signal };
  const responses = await Promise.all(times(13, () => chat(bench, room, ask)));
  assert.deepEqual(tally(responses.map(({ status }) => String(status))), { "200": 10, "429": 3 });
  readOn(responses);
  return () => controller.abort();
}

async function inFlight(bench: Bench, { workspace }: Room): Promise<number> {
  return Number((await admin(bench, "GET /api/status", { workspace }))["in_flight"]);
}

/** Streams that their clients leave, many at once and at any moment, cost no slot. */
export async function abortedStreams(bench: Bench, count: number): Promise<void> {
  const rooms: Room[] = [];
  for (let sent = 0; sent < count; sent += 150) {
    const room = await newRoom(bench);
    rooms.push(room);
    for (let batch = 0; batch < 150; batch += 10) {
      await Promise.all(times(10, (index) => abortAfter(bench, room, (batch + index) % 40)));
      const freed = () => inFlight(bench, room).then((open) => open === 0);
      assert.ok(await until(freed, 2000), "slots are free two seconds after their clients left");
    }
  }
  assert.ok(
    await until(() => bench.provider.open() === 0, 5000),
    "every provider's call is cancelled",
  );
  await Promise.all(rooms.slice(-5).map(async (room) => (await holdAll(bench, room))()));
}

async function abortAfter(bench: Bench, room: Room, ms: number): Promise<void> {
  const controller = new AbortController();
  const response = await chat(bench, room, {
    prompt: "hold",
    stream: true,
    signal: controller.signal,
  });
  assert.equal(response.status, 200);
  await new Promise((resolve) => setTimeout(resolve, ms));
  controller.abort();
}

/** Parallel calls that keep to `max_tokens` never spend more than the limit, and use it up. */
export async function costRace(bench: Bench, rounds: number): Promise<void> {
  // A cent a token of output; input is free of charge, so that its estimate plays no part.
  const cost = { input: 0, output: 10_000 };
  for (let round = 0; round < rounds; round += 1) {
    const room = await newRoom(bench, {
      cost,
      limits: [{ metric: "cost", period: "month", max: 1, action: "block" }],
    });
    bench.provider.reset();
    const verdicts: string[] = [];
    for (let batch = 0; batch < 15; batch += 1) {
      verdicts.push(
        ...(await Promise.all(
          times(10, (index) =>
            verdict(bench, room, { prompt: `usage=5,${1 + (index % 5)}`, maxTokens: 5 }),
          ),
        )),
      );
    }
    const { output, requests } = bench.provider.books;
    assert.ok(output <= 100, `spent ${output} of 100 cents`);
    assert.ok(output >= 96, `only ${output} of 100 cents could be spent`);
    assert.equal(tally(verdicts)["200"], requests);
  }
}

/** The ledger says to the token what the provider says. */
export async function ledger(bench: Bench): Promise<void> {
  const room = await newRoom(bench, { cost: { input: 3, output: 15 } });
  bench.provider.reset();
  for (let batch = 0; batch < 15; batch += 1) {
    await Promise.all(
      times(10, (index) =>
        verdict(bench, room, { prompt: `usage=${100 + batch * 10 + index},${index}` }),
      ),
    );
  }
  const { input, output } = bench.provider.books;
  const usage = await admin(bench, "GET /api/usage?by=day&group=model", {
    workspace: room.workspace,
  });
  const [row] = usage["data"] as Record<string, number>[];
  assert.equal(row?.["requests"], 150);
  assert.equal(row?.["input_tokens"], input);
  assert.equal(row?.["output_tokens"], output);
  assert.ok(Math.abs((row?.["cost"] ?? 0) - (input * 3 + output * 15) / 1e6) < 1e-9);
}

/** A key that was revoked is refused by the next request. */
export async function revocation(bench: Bench): Promise<void> {
  for (const room of await Promise.all(times(10, () => newRoom(bench)))) {
    assert.equal(await verdict(bench, room), "200");
    await admin(bench, `DELETE /api/harnesses/h/keys/${room.keyId}`, {
      workspace: room.workspace,
    });
    assert.equal(await verdict(bench, room), "M005");
  }
}

/**
 * `kill -9` under load: what was acknowledged is there afterwards, ten slots are free at once, and the window
 * and the spend lack at most their last second.
 */
export async function kills(bench: Bench, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const max = 1000 + round;
    const limits = [{ metric: "requests", period: "month", max, action: "block" }];
    const room = await newRoom(bench);
    const early = times(50, () => verdict(bench, room).catch(() => "gone"));
    await Promise.all(early.slice(0, 10));
    await Promise.all(early);
    const done = (await Promise.all(early)).filter((each) => each === "200").length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await holdOpen(bench, room, 5);
    await configure(bench, room.workspace, { limits });
    const late = await admin(bench, "POST /api/harnesses/h/keys", { workspace: room.workspace });
    const usedAt = await lastUse(bench, room);
    // They are admitted and settled while the process ends.
    const racing = times(5, () => verdict(bench, room).catch(() => "gone"));
    await Promise.race(racing);
    bench.host.kill();
    await Promise.all(racing);
    assert.ok(await until(() => healthy(bench), 10_000), "it comes back");
    const config = await admin(bench, "GET /api/config", { workspace: room.workspace });
    assert.deepEqual((config["harnesses"] as { limits: unknown }[])[0]?.limits, limits);
    const view = await admin(bench, "GET /api/limits", { workspace: room.workspace });
    const used = (view["data"] as { used: number }[])[0]?.used ?? 0;
    assert.ok(used >= done && used <= done + 10, `${used} requests booked of ${done}`);
    assert.equal(await sumsLikeLog(bench, room), used);
    assert.ok((await lastUse(bench, room)) >= usedAt, "no key was used earlier than it was");
    const again = { ...room, key: String(late["key"]) };
    assert.equal(await verdict(bench, again), "200");
    (await holdAll(bench, again))();
  }
}

/** When the room's key was used last, as ISO time. */
async function lastUse(bench: Bench, { workspace, keyId }: Room): Promise<string> {
  const { data } = await admin(bench, "GET /api/harnesses/h/keys", { workspace });
  const key = (data as { id: string; last_used_at: string | null }[]).find(
    ({ id }) => id === keyId,
  );
  assert.ok(typeof key?.last_used_at === "string", "the key was used");
  return key.last_used_at;
}

/**
 * The sums are those of the log's rows, and what did not end says so in its row. Returns how many requests both have,
 * without those that a limit refused.
 */
async function sumsLikeLog(bench: Bench, { workspace }: Room): Promise<number> {
  const log = await admin(bench, "GET /api/requests?limit=500", { workspace });
  const rows = log["data"] as { status: number; outcome: string; cost: number; error?: string }[];
  const { total } = (await admin(bench, "GET /api/usage?group=harness", { workspace })) as {
    total?: { requests: number; blocked: number; cost: number };
  };
  const counted = rows.filter(({ outcome }) => outcome !== "blocked");
  assert.deepEqual(
    [total?.requests, total?.blocked],
    [counted.length, rows.length - counted.length],
  );
  const cost = rows.reduce((sum, row) => sum + row.cost, 0);
  assert.ok(
    Math.abs((total?.cost ?? 0) - cost) < 1e-9,
    `${total?.cost} in the sums, ${cost} in the log`,
  );
  for (const row of counted)
    if (row.status !== 200) assert.match(row.error ?? "", /The gateway ended/);
  return counted.length;
}

async function holdOpen(bench: Bench, room: Room, count: number): Promise<void> {
  const responses = await Promise.all(
    times(count, () => chat(bench, room, { prompt: "hold", stream: true })),
  );
  readOn(responses);
}

/** Bodies that nobody reads are cancelled by the client's garbage collector sooner or later. */
function readOn(responses: readonly Response[]): void {
  for (const response of responses) response.text().catch(() => undefined);
}

async function healthy(bench: Bench): Promise<boolean> {
  return fetch(`${bench.host.base}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Variant B: so many requests of an agent in any span of the settings, and no slots. */
export async function throttle(
  bench: Bench,
  { limit, span }: { limit: number; span: number },
): Promise<void> {
  const room = await newRoom(bench);
  bench.provider.reset();
  const statuses = await Promise.all(
    times(Math.ceil(limit * 1.3), () => chat(bench, room).then(({ status }) => status)),
  );
  assert.deepEqual(tally(statuses.map(String)), {
    "200": limit,
    "429": Math.ceil(limit * 1.3) - limit,
  });
  assert.equal(bench.provider.books.requests, limit);
  // All were let in before now, so that none is left in the span that begins here.
  await new Promise((resolve) => setTimeout(resolve, span + 500));
  assert.equal((await chat(bench, room)).status, 200);
}
