/** The log is kept as long as the document and the plan say, and no longer. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/store/config.ts";
import { retentionOf, sumsFrom } from "../../../src/workspace/retention.ts";
import { env, newWorkspace, object, putConfig, row } from "../workers-kit.ts";

const day = 86_400_000;

function stubOf(workspace: string) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
}

async function upkeep(workspace: string): Promise<void> {
  await runInDurableObject(stubOf(workspace), async (instance) => {
    // The class of the binding.
    await (instance as unknown as { alarm(): Promise<void> }).alarm();
  });
}

/** Rows of these ages in days, oldest first, with texts. */
async function logged(ages: readonly number[]): Promise<string> {
  const workspace = newWorkspace();
  for (const age of ages) {
    const time = new Date(Date.now() - age * day).toISOString();
    await object(workspace).log(row(`r${age}`, { time, text: { request: "q", answer: "a" } }));
  }
  // Reading writes what waits.
  await object(workspace).listRequests({ limit: 1 });
  return workspace;
}

async function retain(workspace: string, retention: Config["retention"]): Promise<void> {
  const { config } = await object(workspace).snapshot();
  await putConfig(workspace, { ...config, retention });
}

async function kept(workspace: string) {
  const { rows } = await object(workspace).pageRequests({ limit: 100, texts: true });
  return rows.map(({ record }) => [record.id, record.text !== undefined]);
}

describe("the log", () => {
  it("is kept for thirteen months, its texts for thirty days", async () => {
    const workspace = await logged([401, 390, 31, 29, 0]);
    await upkeep(workspace);
    expect(await kept(workspace)).toEqual([
      ["r0", true],
      ["r29", true],
      ["r31", false],
      ["r390", false],
    ]);
  });

  it("is cut to the days and rows of the document at the next upkeep", async () => {
    const workspace = await logged([400, 40, 8, 6, 5, 4, 3]);
    await retain(workspace, { days: 7 });
    await upkeep(workspace);
    expect((await kept(workspace)).map(([id]) => id)).toEqual(["r3", "r4", "r5", "r6"]);
    await retain(workspace, { days: 7, rows: 2 });
    await upkeep(workspace);
    expect((await kept(workspace)).map(([id]) => id)).toEqual(["r3", "r4"]);
  });

  it("is cut by itself soon after the document says less", async () => {
    const workspace = await logged([8, 1]);
    await retain(workspace, { days: 7 });
    await expect.poll(() => kept(workspace), { timeout: 20_000 }).toHaveLength(1);
  });
});

describe("what is kept", () => {
  const plan = { retention_days: 7 };

  it("is the least of what the document, the plan and the gateway say", () => {
    expect(retentionOf({}, plan)).toMatchObject({ rows: 7 * day, texts: 7 * day });
    expect(retentionOf({ retention: { days: 3 } }, plan).rows).toBe(3 * day);
    expect(retentionOf({ retention: { days: 90, rows: 5 } }, plan)).toMatchObject({
      rows: 7 * day,
      mostRows: 5,
    });
    expect(retentionOf({}, { retention_days: null })).toMatchObject({ texts: 30 * day });
  });

  it("are the sums of this month and the one before in any case, else no more than was asked for", () => {
    const now = Date.UTC(2026, 10, 22);
    expect(sumsFrom({ sums: 7 * day }, now)).toBe(Date.UTC(2026, 9, 1));
    expect(sumsFrom({ sums: 100 * day }, now)).toBe(now - 100 * day);
    expect(sumsFrom({ sums: Infinity }, now)).toBe(now - 400 * day);
  });
});
