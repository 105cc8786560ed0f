import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Config, LimitEntry } from "../../../src/store/config.ts";
import {
  asking,
  attempt,
  call,
  env,
  isAdmitted,
  workspaces,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  restart,
  row,
} from "../workers-kit.ts";

const allTime = () => ({ from: 0, to: Date.now() + 3_600_000 });

function withLimits(...limits: LimitEntry[]): Config {
  return { harnesses: [{ id: "default", name: "D", limits }] };
}

describe("the ledger", () => {
  it("adds up to the token what every attempt used, by model, provider, harness and tier", async () => {
    const holder = await newHolder(newWorkspace());
    const book = object(holder.workspace);
    const sent = { input: 0, cached: 0, output: 0, cost: 0 };
    for (let index = 0; index < 40; index += 1) {
      const request = asking(holder);
      const answer = await workspaces.admit(holder.workspace, request);
      if (!isAdmitted(answer)) throw new Error("refused");
      const usage = {
        input_tokens: 100 + index,
        cached_tokens: index,
        cache_write_tokens: 0,
        output_tokens: 7,
        reasoning_tokens: 0,
        estimated: false,
      };
      const failed = attempt({
        model: "other/b",
        status: 500,
        outcome: "failed",
        usage,
        cost: 0.001,
      });
      const good = attempt({ model: "lab/one", usage, cost: 0.0003 });
      await workspaces.settle(
        holder.workspace,
        row(request.requestId, { attempts: [failed, good] }),
      );
      sent.input += usage.input_tokens;
      sent.cached += index;
      sent.output += 7;
      sent.cost += 0.0003;
    }
    const models = await book.sums({ ...allTime(), group: "model" });
    expect(models.find(({ group }) => group === "lab/one")).toMatchObject({
      requests: 40,
      errors: 0,
      input_tokens: sent.input,
      cached_tokens: sent.cached,
      output_tokens: sent.output,
      cost: Math.round(sent.cost * 1e12),
    });
    expect(models.find(({ group }) => group === "other/b")).toMatchObject({
      requests: 0,
      input_tokens: sent.input,
      cost: 0.04e12,
    });
    const providers = await book.sums({ ...allTime(), group: "provider" });
    expect(providers.map(({ group }) => group)).toEqual(["lab", "other"]);
    for (const group of ["harness", "tier"] as const) {
      const [all, ...none] = await book.sums({ ...allTime(), group });
      expect(none).toEqual([]);
      expect(all).toMatchObject({ requests: 40, input_tokens: 2 * sent.input });
    }
  });

  it("lists rows newest first, page by page, by harness, status and model", async () => {
    const holder = await newHolder(newWorkspace());
    const book = object(holder.workspace);
    for (let index = 0; index < 25; index += 1) await call(holder);
    await book.log(row("refused", { status: 429, attempts: [], error: "M201", model: null }));
    const first = await book.listRequests({ limit: 10 });
    expect(first[0]?.record).toMatchObject({ id: "refused", status: 429 });
    const last = first.at(-1)?.seq ?? 0;
    const second = await book.listRequests({ limit: 100, before: last });
    expect(second).toHaveLength(16);
    expect(await book.listRequests({ limit: 10, status: [400, 500] })).toHaveLength(1);
    expect(
      await book.listRequests({ limit: 100, model: "lab/one", harness: "default" }),
    ).toHaveLength(26);
    expect(await book.listRequests({ limit: 100, harness: "nobody" })).toEqual([]);
    expect(await book.findRequest("refused")).toMatchObject({ error: "M201" });
    expect(await book.findRequest("nothing")).toBeUndefined();
  });

  it("shows texts only where one row is asked for", async () => {
    const holder = await newHolder(newWorkspace());
    const book = object(holder.workspace);
    await book.log(row("with-text", { text: { request: "hello", answer: "hi" } }));
    expect((await book.listRequests({ limit: 1 }))[0]?.record).not.toHaveProperty("text");
    expect(await book.findRequest("with-text")).toMatchObject({
      text: { request: "hello", answer: "hi" },
    });
  });

  it("counts what was refused before it was admitted as the log does, and no limit counts it", async () => {
    const workspace = newWorkspace();
    const limit = { metric: "requests", period: "day", max: 5, action: "block" } as const;
    await putConfig(workspace, withLimits(limit));
    await newHolder(workspace);
    const book = object(workspace);
    const none = { attempts: [], model: null, usage: null, cost: null };
    await book.log(row("unknown-model", { ...none, status: 404, outcome: "failed" }));
    await book.log(row("blocked", { ...none, status: 429, outcome: "blocked" }));
    const check = async () => {
      const sums = await object(workspace).sums({ ...allTime(), group: "model" });
      expect(sums).toMatchObject([{ group: "", requests: 1, errors: 1, blocked: 1 }]);
      expect(await object(workspace).limits()).toMatchObject([{ used: 0 }]);
    };
    await check();
    await restart(workspace);
    await check();
  });

  it("tells live views what came since they last asked, without a disk", async () => {
    const holder = await newHolder(newWorkspace());
    const book = object(holder.workspace);
    const before = await book.changesSince(0);
    await call(holder);
    const after = await book.changesSince(before.seq);
    expect(after.rows).toHaveLength(1);
    expect((await book.changesSince(after.seq)).rows).toEqual([]);
  });

  it("keeps the newest ten thousand rows", async () => {
    const workspace = newWorkspace();
    await object(workspace).log(row("first"));
    await object(workspace).listRequests({ limit: 1 });
    const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
    await runInDurableObject(stub, (_instance, state) => {
      // Upkeep forgets a row without a time as too old.
      const fill = `
        WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < 10000)
        INSERT INTO requests (seq, id, harness, status, row)
          SELECT n, 'r' || n, 'default', 200, json_object('id', 'r' || n, 'time', ?) FROM more`;
      state.storage.sql.exec(fill, new Date().toISOString());
    });
    await restart(workspace);
    await object(workspace).log(row("r10001"));
    await object(workspace).log(row("r10002"));
    const rows = await object(workspace).listRequests({ limit: 20_000 });
    expect(rows).toHaveLength(10_000);
    expect([rows[0]?.record.id, rows.at(-1)?.record.id]).toEqual(["r10002", "r3"]);
  });

  it("counts a departure as a request, not as an error", async () => {
    const holder = await newHolder(newWorkspace());
    const request = asking(holder);
    const answer = await workspaces.admit(holder.workspace, request);
    if (!isAdmitted(answer)) throw new Error("refused");
    const left = attempt({ status: 499, outcome: "neutral", error: "the client left" });
    await workspaces.settle(
      holder.workspace,
      row(request.requestId, { attempts: [left], error: "the client left" }),
    );
    const [sum] = await object(holder.workspace).sums({ ...allTime(), group: "model" });
    expect(sum).toMatchObject({ requests: 1, errors: 0 });
  });
});

describe("limits in workerd", () => {
  it(
    "are never overrun by parallel calls whose answers keep to max_tokens",
    { timeout: 60_000 },
    async () => {
      const workspace = newWorkspace();
      // Every call costs at most a cent; a dollar is there.
      await putConfig(
        workspace,
        withLimits({ metric: "cost", period: "month", max: 1, action: "block" }),
      );
      const holder = await newHolder(workspace);
      const candidates = [
        { id: "lab/one", input: 5, asked: 5, prices: { input: 1000, output: 1000 } },
      ];
      let spent = 0;
      let admitted = 0;
      for (let round = 0; round < 15; round += 1) {
        await Promise.all(
          Array.from({ length: 10 }, async (_, index) => {
            const request = asking(holder, { candidates });
            const answer = await workspaces.admit(workspace, request);
            if (!isAdmitted(answer)) return;
            admitted += 1;
            const cost = 0.005 + (index % 6) * 0.001;
            spent += cost;
            await workspaces.settle(
              holder.workspace,
              row(request.requestId, { attempts: [attempt({ cost })] }),
            );
          }),
        );
      }
      expect(spent).toBeLessThanOrEqual(1 + 1e-9);
      expect(spent).toBeGreaterThan(0.98);
      expect(admitted).toBeGreaterThan(100);
      expect((await object(workspace).limits())[0]?.used).toBeCloseTo(spent, 9);
    },
  );

  it("write down that they blocked, once a period with a count", async () => {
    const workspace = newWorkspace();
    await putConfig(
      workspace,
      withLimits(
        { metric: "requests", period: "day", max: 1, action: "block" },
        { metric: "requests", period: "hour", max: 0, action: "notify" },
      ),
    );
    const holder = await newHolder(workspace);
    expect(refusalOf(await call(holder))).toBe("admitted");
    for (let index = 0; index < 3; index += 1) expect(refusalOf(await call(holder))).toBe("M200");
    const blocks = await object(workspace).blocks(10);
    expect(blocks).toHaveLength(2);
    expect(blocks.find(({ action }) => action === "block")).toMatchObject({
      metric: "requests",
      period: "day",
      used: 1,
      count: 3,
    });
    expect(blocks.find(({ action }) => action === "notify")).toMatchObject({
      period: "hour",
      count: 1,
    });
  });

  it("count what was spent before they were set, in whatever time zone is set later", async () => {
    const workspace = newWorkspace();
    const holder = await newHolder(workspace);
    await call(holder);
    await putConfig(workspace, {
      timezone: "Asia/Tokyo",
      ...withLimits({ metric: "tokens", period: "month", max: 1000, action: "block" }),
    });
    expect((await object(workspace).limits())[0]).toMatchObject({ used: 20, reserved: 0 });
  });
});
