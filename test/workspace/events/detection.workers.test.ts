/** People are told of each thing once, with its cause, also where the object starts anew in between. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { LimitEntry } from "../../../src/store/config.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import {
  attempt,
  call,
  env,
  newHolder,
  newKey,
  newWorkspace,
  object,
  putConfig,
  restart,
  row,
} from "../workers-kit.ts";
import { eventsOf, inObject, typesOf } from "./kit.ts";

const harnesses = (limits?: LimitEntry[]) => [
  { id: "default", name: "Default", ...(limits && { limits }) },
];

function limitOf(max: number, more: Partial<LimitEntry> = {}): LimitEntry {
  return { metric: "requests", period: "month", max, action: "notify", ...more };
}

/** Settles a request that was never admitted: booked all the same. */
async function book(workspace: string, change: Partial<RequestRecord> = {}): Promise<void> {
  await object(workspace).settleLate(row(crypto.randomUUID(), change));
}

describe("a limit", () => {
  it.each(["workspace", "harness", "key", "person"] as const)(
    "of the %s that sixty requests cross at once is near once and reached once",
    async (node) => {
      const workspace = newWorkspace();
      const limits = [limitOf(40), limitOf(50, { action: "block" })];
      await putConfig(workspace, {
        ...(node === "workspace" && { limits }),
        harnesses: harnesses(node === "harness" ? limits : undefined),
      });
      const key = await newKey(workspace, "default", {
        person: "usr_1",
        ...(node === "key" && { limits }),
      });
      if (node === "person") await object(workspace).setPersonLimits("usr_1", limits);
      const of = { key_id: key.id, person: "usr_1" };
      await Promise.all(Array.from({ length: 60 }, () => book(workspace, of)));
      const told = (await eventsOf(workspace)).filter(({ type }) => type.startsWith("limit."));
      const id = { workspace: "", harness: "default", key: key.id, person: "usr_1" }[node];
      expect(told.map(({ type, data }) => [type, data["action"], data["used"]])).toEqual([
        ["limit.near", "notify", 32],
        ["limit.reached", "notify", 40],
        ["limit.near", "block", 40],
        ["limit.reached", "block", 50],
      ]);
      for (const { data } of told) expect(data).toMatchObject({ workspace, node, id });
      // Whoever reads of it knows a key by its name.
      if (node === "key") expect(told[0]?.data).toMatchObject({ name: "test", harness: "default" });
      await restart(workspace);
      await book(workspace, of);
      expect((await typesOf(workspace)).filter((type) => type.startsWith("limit.")).length).toBe(4);
    },
  );

  it("that is raised begins anew, and again when it is back", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, { harnesses: harnesses(), limits: [limitOf(1)] });
    await book(workspace);
    expect(await typesOf(workspace)).toEqual(["limit.reached"]);
    await putConfig(workspace, { harnesses: harnesses(), limits: [limitOf(10)] });
    await book(workspace);
    expect((await typesOf(workspace)).length).toBe(1);
    await putConfig(workspace, { harnesses: harnesses(), limits: [limitOf(1)] });
    expect((await typesOf(workspace)).length).toBe(1);
    await book(workspace);
    expect((await typesOf(workspace)).slice(1)).toEqual(["limit.reached"]);
    await book(workspace);
    expect((await typesOf(workspace)).length).toBe(2);
  });

  it("that is reached is not near any more, though it refused before so much was spent", async () => {
    const workspace = newWorkspace();
    const limits = [limitOf(100, { action: "block", metric: "tokens" })];
    await putConfig(workspace, { harnesses: harnesses(limits) });
    const holder = await newHolder(workspace);
    // Twenty tokens each.
    for (let time = 0; time < 3; time += 1) await book(workspace);
    const prices = { input: 1, output: 1 };
    await call(holder, { candidates: [{ id: "lab/one", input: 60, asked: 10, prices }] });
    expect((await typesOf(workspace)).at(-1)).toBe("limit.reached");
    await book(workspace);
    const told = (await typesOf(workspace)).filter((type) => type.startsWith("limit."));
    expect(told).toEqual(["limit.reached"]);
  });

  it("of a key or a person says what people call them", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, { harnesses: harnesses() });
    const more = { person: "usr_1", name: "CI <b>", limits: [limitOf(2)] };
    const key = await newKey(workspace, "default", more);
    await object(workspace).setPersonLimits("usr_1", [limitOf(2)]);
    const of = { key_id: key.id, person: "usr_1" };
    await book(workspace, of);
    await book(workspace, of);
    const email = "ann@example.com";
    const actor = { type: "user", id: "usr_1", email } as const;
    await object(workspace).setPersonLimits("usr_1", [limitOf(3)], actor);
    await book(workspace, of);
    const told = await eventsOf(workspace, "limit.reached");
    expect(told.map(({ data }) => [data["node"], data["id"], data["name"]])).toEqual([
      ["key", key.id, "CI <b>"],
      ["person", "usr_1", undefined],
      ["person", "usr_1", email],
    ]);
  });

  it("of nothing is reached when it first refuses", async () => {
    const workspace = newWorkspace();
    const limits = [limitOf(0, { action: "block", metric: "cost" })];
    await putConfig(workspace, { harnesses: harnesses(limits) });
    const holder = await newHolder(workspace);
    for (let time = 0; time < 3; time += 1) await call(holder);
    const told = (await eventsOf(workspace)).filter(({ type }) => type.startsWith("limit."));
    expect(told).toMatchObject([{ type: "limit.reached", data: { max: 0, used: 0 } }]);
  });

  it("is told again in its next period", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, { harnesses: harnesses([limitOf(1, { period: "hour" })]) });
    await book(workspace);
    expect((await typesOf(workspace)).length).toBe(1);
    await inObject(workspace, ({ sql }) => {
      // As an hour before would have left it.
      sql.exec("UPDATE told SET value = CAST(value AS INTEGER) - 3600000");
    });
    await restart(workspace);
    await book(workspace);
    expect((await typesOf(workspace)).length).toBe(2);
    await restart(workspace);
    await book(workspace);
    expect((await typesOf(workspace)).length).toBe(2);
  });
});

it("the quota is near once and reached once, and anew when it is raised", async () => {
  const workspace = newWorkspace();
  await object(workspace).setQuota(10);
  const holder = await newHolder(workspace);
  const told = async () => {
    const events = await eventsOf(workspace);
    return events.flatMap(({ type, data }) =>
      type.startsWith("quota.") ? [[type, data["monthly_requests"], data["used"]]] : [],
    );
  };
  for (let time = 0; time < 12; time += 1) await call(holder);
  const first = [
    ["quota.near", 10, 8],
    ["quota.reached", 10, 10],
  ];
  expect(await told()).toEqual(first);
  await restart(workspace);
  await call(holder);
  expect(await told()).toEqual(first);
  await object(workspace).setQuota(13);
  for (let time = 0; time < 4; time += 1) await call(holder);
  expect(await told()).toEqual([...first, ["quota.near", 13, 11], ["quota.reached", 13, 13]]);
});

describe("a provider", () => {
  const failed = attempt({ outcome: "failed", status: 401, usage: undefined as never, cost: 0 });
  const { usage: _usage, ...failure } = failed;
  const withLab = { harnesses: harnesses(), providers: [{ id: "lab", kind: "openai" }] };

  it("that cools down is down, until it answers", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, withLab);
    for (let time = 0; time < 5; time += 1)
      await book(workspace, { attempts: [failure], status: 401 });
    await restart(workspace);
    for (let time = 0; time < 5; time += 1)
      await book(workspace, { attempts: [failure], status: 401 });
    expect(await eventsOf(workspace)).toMatchObject([
      { type: "provider.down", data: { provider: "lab", model: "lab/one", status: 401 } },
    ]);
    for (let time = 0; time < 3; time += 1) await book(workspace);
    expect(await typesOf(workspace)).toEqual(["provider.down", "provider.up"]);
    // Down and up again within minutes: nobody is told.
    for (let time = 0; time < 5; time += 1)
      await book(workspace, { attempts: [failure], status: 401 });
    for (let time = 0; time < 3; time += 1) await book(workspace);
    expect(await typesOf(workspace)).toEqual(["provider.down", "provider.up"]);
  });

  it("whose other models answer is not down: the event names the model", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, withLab);
    const other = { ...attempt(), model: "lab/two" };
    await book(workspace, { attempts: [other] });
    for (let time = 0; time < 3; time += 1)
      await book(workspace, { attempts: [failure], status: 401 });
    const data = { provider: "lab", model: "lab/one", others_answer: true };
    expect(await eventsOf(workspace)).toMatchObject([{ type: "provider.down", data }]);
    expect(await object(workspace).status()).toMatchObject({ down: ["lab"], downInPart: ["lab"] });
  });

  it("of which another model answers later is down in part from then on", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, withLab);
    for (let time = 0; time < 3; time += 1)
      await book(workspace, { attempts: [failure], status: 401 });
    expect(await object(workspace).status()).toMatchObject({ down: ["lab"], downInPart: [] });
    await book(workspace, { attempts: [{ ...attempt(), model: "lab/two" }] });
    expect(await object(workspace).status()).toMatchObject({ down: ["lab"], downInPart: ["lab"] });
    expect(await typesOf(workspace)).toEqual(["provider.down"]);
  });

  it("is not down for faults of requests", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, withLab);
    const fault = { ...failure, outcome: "neutral", status: 400 } as const;
    for (let time = 0; time < 9; time += 1)
      await book(workspace, { attempts: [fault], status: 400 });
    const unknown = { ...failure, status: 404 } as const;
    for (let time = 0; time < 9; time += 1)
      await book(workspace, { attempts: [unknown], status: 404 });
    expect(await typesOf(workspace)).toEqual([]);
  });

  it("is not down because of one rate limit, however long it wants to be left alone", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, withLab);
    const limited = { ...failure, status: 429, coolUntil: Date.now() + 60_000 } as const;
    await book(workspace, { attempts: [limited], status: 429 });
    await book(workspace, { attempts: [limited], status: 429 });
    expect(await typesOf(workspace)).toEqual([]);
    await book(workspace, { attempts: [limited], status: 429 });
    expect(await typesOf(workspace)).toEqual(["provider.down"]);
  });

  it("that is removed while it is down is not down when it is made anew", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, withLab);
    for (let time = 0; time < 3; time += 1)
      await book(workspace, { attempts: [failure], status: 401 });
    expect(await typesOf(workspace)).toEqual(["provider.down"]);
    await restart(workspace);
    expect((await object(workspace).status()).down).toEqual(["lab"]);
    await putConfig(workspace, { ...withLab, providers: [] });
    await putConfig(workspace, withLab);
    expect((await object(workspace).status()).down).toEqual([]);
    await restart(workspace);
    expect((await object(workspace).status()).down).toEqual([]);
    await book(workspace);
    expect(await typesOf(workspace)).toEqual(["provider.down"]);
  });
});

describe("a key", () => {
  it("is told of when it is made and revoked, whoever revokes it; keys of sign-ins are not", async () => {
    const workspace = newWorkspace();
    const more = { id: "more", name: "More" };
    await putConfig(workspace, { harnesses: [...harnesses(), more] });
    const one = await newKey(workspace);
    const two = await newKey(workspace, "more");
    const three = await newKey(workspace, "default", { person: "usr_1" });
    const own = {
      id: "key_sign_in_abc_123",
      name: "Claude Code",
      harness: "more",
      hash: "f".repeat(64),
      last4: "1234",
      created_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      last_used_at: null,
    };
    await object(workspace).createSignInKey(own);
    await object(workspace).deleteKey("default", one.id);
    await putConfig(workspace, { harnesses: harnesses() });
    await object(workspace).revokePerson("usr_1");
    const events = await eventsOf(workspace);
    expect(events.map(({ type, data }) => [type, data["key"]])).toEqual([
      ["key.created", one.id],
      ["key.created", two.id],
      ["key.created", three.id],
      ["key.revoked", one.id],
      ["key.revoked", two.id],
      ["key.revoked", three.id],
    ]);
    expect(Object.keys(events[0]?.data ?? {})).toEqual([
      "workspace",
      "key",
      "name",
      "harness",
      "last4",
      "expires_at",
    ]);
    expect(JSON.stringify(events)).not.toContain(one.text);
    expect(JSON.stringify(events)).not.toContain(one.hash);
  });

  it("that is about to expire is told of once, and anew when its expiry changes", async () => {
    const workspace = newWorkspace();
    const day = 86_400_000;
    const now = Date.now();
    const at = (time: number) => new Date(now + time).toISOString();
    const soon = await newKey(workspace, "default", {
      created_at: at(-30 * day),
      expires_at: at(6 * day),
    });
    await newKey(workspace, "default", { created_at: at(-30 * day), expires_at: at(8 * day) });
    await newKey(workspace, "default", { created_at: at(-9 * day), expires_at: at(2 * day) });
    const short = await newKey(workspace, "default", {
      created_at: at(-95 * 60_000),
      expires_at: at(5 * 60_000),
    });
    await newKey(workspace, "default", { expires_at: null });
    const told = async () =>
      (await eventsOf(workspace, "key.expiring")).map(({ data }) => data["key"]);
    expect(await told()).toEqual([soon.id, short.id]);
    await restart(workspace);
    expect(await told()).toEqual([soon.id, short.id]);
    await object(workspace).changeKey(
      { harness: "default", id: soon.id },
      { expires_at: at(5 * day) },
    );
    expect(await told()).toEqual([soon.id, short.id, soon.id]);
  });

  it("is told of by the alarm where nobody calls", async () => {
    const workspace = newWorkspace();
    const now = Date.now();
    const at = (time: number) => new Date(now + time).toISOString();
    await newKey(workspace, "default", { created_at: at(-16_000), expires_at: at(4000) });
    expect(await eventsOf(workspace, "key.expiring")).toEqual([]);
    const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
    const set = await inObject(workspace, (storage) => storage.getAlarm());
    expect(set).toBeGreaterThan(now);
    expect(set).toBeLessThanOrEqual(now + 2500);
    await expect
      .poll(
        async () => {
          await runDurableObjectAlarm(stub);
          return (await eventsOf(workspace, "key.expiring")).length;
        },
        { timeout: 10_000 },
      )
      .toBe(1);
  });
});

describe("a day's spend", () => {
  const day = 86_400_000;
  const spend = (workspace: string, cost: number, age = 0) =>
    book(workspace, {
      time: new Date(Date.now() - age).toISOString(),
      attempts: [attempt({ cost })],
      cost,
    });

  async function workspaceWithDays(costs: readonly number[]): Promise<string> {
    const workspace = newWorkspace();
    for (const [index, cost] of costs.entries()) await spend(workspace, cost, (index + 1) * day);
    await object(workspace).blocks(1);
    return workspace;
  }

  /** What a batch more tells; the instance has not looked yet. */
  async function toldAfter(workspace: string, cost: number) {
    await restart(workspace);
    await spend(workspace, cost);
    await object(workspace).blocks(1);
    await scheduler.wait(300);
    return await eventsOf(workspace, "spend.unusual");
  }

  it("unlike the weeks before is told of once", async () => {
    const workspace = await workspaceWithDays([2, 2, 3, 2, 1, 2, 4]);
    expect(await toldAfter(workspace, 5.9)).toEqual([]);
    await toldAfter(workspace, 1);
    await expect.poll(() => eventsOf(workspace, "spend.unusual")).toHaveLength(1);
    const told = await eventsOf(workspace, "spend.unusual");
    expect(told).toMatchObject([{ data: { usual: 2 } }]);
    expect(told[0]?.data["cost"]).toBeCloseTo(6.9);
    expect(told[0]?.data["day"]).toBe(new Date().toISOString().slice(0, 10));
    expect((await toldAfter(workspace, 50)).length).toBe(1);
  });

  it("is told of with the request that makes it unusual, though no other follows", async () => {
    const workspace = await workspaceWithDays([2, 2, 2, 2, 2, 2, 2]);
    expect(await toldAfter(workspace, 5.9)).toEqual([]);
    await spend(workspace, 3);
    await object(workspace).blocks(1);
    await expect.poll(() => eventsOf(workspace, "spend.unusual")).toHaveLength(1);
  });

  it("is not unusual where a day before cost as much, where there are too few, and for cents", async () => {
    expect(await toldAfter(await workspaceWithDays([1, 1, 1, 1, 1, 1, 9]), 8)).toEqual([]);
    expect(await toldAfter(await workspaceWithDays([1, 1, 1, 1, 1, 1]), 80)).toEqual([]);
    const cents = await workspaceWithDays([0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01]);
    expect(await toldAfter(cents, 0.9)).toEqual([]);
  });
});

it("the newest five hundred are kept, in pages", async () => {
  const workspace = newWorkspace();
  await object(workspace).snapshot();
  for (let made = 0; made < 5; made += 1) await newKey(workspace);
  await inObject(workspace, ({ sql }) => {
    sql.exec("UPDATE events SET seq = seq + 500 WHERE seq > 1");
  });
  await newKey(workspace);
  expect(await object(workspace).eventSeq()).toBe(506);
  const page = await object(workspace).events({ limit: 2 });
  expect(page).toMatchObject({ events: [{ seq: 506 }, { seq: 505 }], next: 505 });
  const rest = await object(workspace).events({ limit: 10, before: 505 });
  expect(rest.events.map(({ seq }) => seq)).toEqual([504, 503, 502]);
  expect(rest.next).toBeNull();
});
