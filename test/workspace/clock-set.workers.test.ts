/** The machine's clock is set back and forward: every calendar period has one budget, and a mistake blocks nobody for long. */
import { afterEach, expect, it, vi } from "vitest";
import type { LimitEntry } from "../../src/store/config.ts";
import {
  asking,
  attempt,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  restart,
  row,
  workspaces,
} from "./workers-kit.ts";
import type { Holder } from "../../src/workspace/client/client.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** In the middle of a month, a day and an hour, near the real time: storage is swept by age. */
const noon = (Math.floor(Date.now() / day) + 1) * day + 12.5 * hour;

afterEach(() => void vi.restoreAllMocks());

function setClock(time: number): void {
  vi.spyOn(Date, "now").mockReturnValue(time);
}

function block(period: LimitEntry["period"], max: number): LimitEntry {
  return { metric: "requests", period, max, action: "block" };
}

async function limited(limits: LimitEntry[]): Promise<Holder> {
  const workspace = newWorkspace();
  await putConfig(workspace, { harnesses: [{ id: "default", name: "D", limits }] });
  return await newHolder(workspace);
}

/** How many of so many requests at that time are admitted. */
async function admitted(holder: Holder, time: number, requests = 12): Promise<number> {
  setClock(time);
  let count = 0;
  for (let n = 0; n < requests; n += 1) {
    const request = asking(holder);
    if (!isAdmitted(await workspaces.admit(holder.workspace, request))) continue;
    count += 1;
    const ended = row(request.requestId, {
      time: new Date(time).toISOString(),
      attempts: [attempt()],
    });
    await workspaces.settle(holder.workspace, ended);
  }
  return count;
}

it("an hour and a day that were used up stay so, however the clock is set", async () => {
  const holder = await limited([block("hour", 3), block("day", 8)]);
  expect(await admitted(holder, noon)).toBe(3);
  expect(await admitted(holder, noon + hour)).toBe(3);
  expect(await admitted(holder, noon)).toBe(0);
  expect(await admitted(holder, noon + hour)).toBe(0);
  expect(await admitted(holder, noon + 2 * hour)).toBe(2);
  expect(await admitted(holder, noon + day)).toBe(3);
  expect(await admitted(holder, noon + 2 * hour)).toBe(0);
  expect(await admitted(holder, noon + day)).toBe(0);
});

it("so it is when the clock is set while the object does not run", async () => {
  const holder = await limited([block("hour", 3), block("day", 8)]);
  expect(await admitted(holder, noon)).toBe(3);
  expect(await admitted(holder, noon + day)).toBe(3);
  setClock(noon);
  await restart(holder.workspace);
  expect(await admitted(holder, noon)).toBe(0);
  expect(await admitted(holder, noon + hour)).toBe(3);
  await restart(holder.workspace);
  expect(await admitted(holder, noon + hour)).toBe(0);
});

it("a clock that was two days ahead by mistake leaves everything as it was", async () => {
  const holder = await limited([block("day", 4)]);
  expect(await admitted(holder, noon, 2)).toBe(2);
  expect(await admitted(holder, noon + 2 * day)).toBe(4);
  expect(await admitted(holder, noon)).toBe(2);
  expect(await admitted(holder, noon + day)).toBe(4);
  expect(await admitted(holder, noon + 2 * day)).toBe(0);
  expect(await admitted(holder, noon + 3 * day)).toBe(4);
});

it("the month's quota is one for each month, and no month ahead is charged instead", async () => {
  const holder = await limited([]);
  setClock(noon);
  await object(holder.workspace).setQuota(4);
  expect(await admitted(holder, noon, 3)).toBe(3);
  expect(await admitted(holder, noon + 60 * day)).toBe(4);
  expect(await admitted(holder, noon)).toBe(1);
  expect(await admitted(holder, noon + 60 * day)).toBe(0);
  expect(await admitted(holder, noon + 100 * day)).toBe(4);
});

it("a slot whose request was lost is free within the time of its lease", async () => {
  const holder = await limited([]);
  setClock(noon);
  const held = await Promise.all(
    Array.from({ length: 200 }, () => workspaces.admit(holder.workspace, asking(holder))),
  );
  const slots = held.filter(isAdmitted).length;
  expect(slots).toBeLessThan(200);
  setClock(noon - 3 * hour);
  expect(isAdmitted(await workspaces.admit(holder.workspace, asking(holder)))).toBe(false);
  setClock(noon - 3 * hour + 120_000);
  expect(isAdmitted(await workspaces.admit(holder.workspace, asking(holder)))).toBe(true);
});
