/** The month's count over changes of the time zone, restarts, and the versions before, which had none. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { countMonthsOfUtc } from "../../../src/workspace/storage/months-of-utc.ts";
import { workspaceMigrations } from "../../../src/workspace/storage/migrations.ts";
import { migrate } from "../../../src/workspace/storage/sql/schema-version.ts";
import * as before from "../schema/state-of-version-1.ts";
import {
  call,
  env,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  restart,
} from "../workers-kit.ts";

const hour = 3_600_000;

function stubOf(workspace: string) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
}

function monthOfUtc(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
}

describe("the monthly quota", () => {
  it("goes on counting through changes of the time zone and restarts", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    await object(workspace).setQuota(3);
    for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]) {
      const { config } = await object(workspace).snapshot();
      await putConfig(workspace, { ...config, timezone });
      const { generation } = await object(workspace).snapshot();
      expect(refusalOf(await call(holder, { generation }))).toBe("admitted");
      // Batches are written by a timer.
      await object(workspace).listRequests({ limit: 1 });
      await restart(workspace);
    }
    const { generation } = await object(workspace).snapshot();
    expect(refusalOf(await call(holder, { generation }))).toBe("M204");
    expect((await object(workspace).status()).monthly).toEqual({ limit: 3, used: 3 });
  });

  it.each(["UTC", "Asia/Kolkata", "Pacific/Kiritimati"])(
    "takes over what the version before summed in this month of UTC, with a workspace in %s",
    async (timezone) => {
      const workspace = newWorkspace();
      const month = monthOfUtc();
      await runInDurableObject(stubOf(workspace), async (_instance, state) => {
        const { storage } = state;
        await storage.deleteAll();
        const step = workspaceMigrations.indexOf(countMonthsOfUtc);
        migrate(storage, workspaceMigrations.slice(0, step));
        before.writeDocument(storage.sql, { timezone, harnesses: before.harnesses });
        // Hours of either side of the month's beginning, and what was booked last.
        const sum = (level: string, bucket: number, requests: number) =>
          storage.sql.exec(
            `INSERT INTO ${level} VALUES (?, 'default', 'direct', 'lab/one', ?, 0, 0, 0, 0, 0, 0, 0)`,
            bucket,
            requests,
          );
        sum("hours", month - hour, 1000);
        sum("hours", month - hour / 2, 1000);
        sum("hours", month, 20);
        sum("rollups", month - hour / 4, 1000);
        sum("rollups", month, 300);
        sum("quarters", month, 4);
        await storage.sync();
        state.abort("restarted by a test");
      }).catch(() => undefined);
      expect((await object(workspace).status()).monthly.used).toBe(324);
      await restart(workspace);
      expect((await object(workspace).status()).monthly.used).toBe(324);
    },
  );
});
