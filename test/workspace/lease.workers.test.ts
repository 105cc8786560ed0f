import { describe, expect, it, vi } from "vitest";
import { leaseTime } from "../../src/workspace/rules/lease.ts";
import {
  asking,
  call,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  restart,
  row,
  workspaces,
} from "./workers-kit.ts";

type Holder = Awaited<ReturnType<typeof newHolder>>;

/** Id of a request that is under way. */
async function running(holder: Holder): Promise<string> {
  const request = asking(holder);
  const answer = await workspaces.admit(holder.workspace, request);
  if (!isAdmitted(answer)) throw new Error(refusalOf(answer));
  expect(answer.lease).toEqual({ id: request.requestId });
  return request.requestId;
}

async function inFlight({ workspace }: Holder): Promise<number> {
  return (await object(workspace).status()).inFlight;
}

async function sumOf({ workspace }: Holder) {
  const question = { from: 0, to: Date.now() + 1e6, group: "model" } as const;
  return (await object(workspace).sums(question))[0];
}

/** Runs what follows at a later time. The object shares the clock of the test. */
async function after<T>(ms: number, run: () => Promise<T>): Promise<T> {
  const now = Date.now() + ms;
  vi.spyOn(Date, "now").mockReturnValue(now);
  try {
    return await run();
  } finally {
    vi.restoreAllMocks();
  }
}

describe("leases in workerd", () => {
  it("whose callers died end by themselves, and what was set aside is booked", async () => {
    const holder = await newHolder(newWorkspace());
    await Promise.all(Array.from({ length: 10 }, () => running(holder)));
    expect(refusalOf(await call(holder))).toBe("M203");
    await after(leaseTime - 10_000, async () => expect(await inFlight(holder)).toBe(10));
    await after(leaseTime + 1000, async () => expect(await inFlight(holder)).toBe(0));
    expect(refusalOf(await call(holder))).toBe("admitted");
    expect(await sumOf(holder)).toMatchObject({
      group: "lab/one",
      requests: 11,
      errors: 10,
      input_tokens: 110,
      output_tokens: 110,
    });
  });

  it("hold as long as somebody renews them", async () => {
    const holder = await newHolder(newWorkspace());
    const [renewed] = await Promise.all([running(holder), running(holder)]);
    await after(leaseTime - 1000, () => workspaces.renew(holder.workspace, renewed));
    await after(leaseTime + 1000, async () => expect(await inFlight(holder)).toBe(1));
    await after(2 * leaseTime, async () => expect(await inFlight(holder)).toBe(0));
    // One that ended stays ended.
    await workspaces.renew(holder.workspace, renewed);
    expect(await inFlight(holder)).toBe(0);
  });

  it("hold over a restart as long as somebody renews them, and end when nobody does", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    const [renewed, lost] = await Promise.all([running(holder), running(holder)]);
    await object(workspace).listRequests({ limit: 1 });
    // Renewals are not saved each time: the saved end lies in the past when the object begins anew.
    for (const minutes of [0.5, 1, 1.5])
      await after(minutes * 60_000, async () => await workspaces.renew(workspace, renewed));
    await after(100_000, async () => {
      await restart(workspace);
      expect(await inFlight(holder)).toBeGreaterThanOrEqual(1);
      await workspaces.renew(workspace, renewed);
    });
    await after(100_000 + leaseTime - 1000, async () =>
      expect(await inFlight(holder)).toBeGreaterThanOrEqual(1),
    );
    await after(100_000 + 2 * leaseTime, async () => expect(await inFlight(holder)).toBe(0));
    await workspaces.settle(workspace, row(renewed));
    await workspaces.settle(workspace, row(lost));
    expect(await sumOf(holder)).toMatchObject({ requests: 2 });
  });

  it("are settled once, whoever settles again", async () => {
    const holder = await newHolder(newWorkspace());
    const record = row(await running(holder));
    for (let time = 0; time < 3; time += 1) await workspaces.settle(holder.workspace, record);
    expect(await sumOf(holder)).toMatchObject({ requests: 1, input_tokens: 10 });
    expect(await object(holder.workspace).listRequests({ limit: 10 })).toHaveLength(1);
  });

  it("are set right by a settlement that comes after they were given up", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await running(holder);
    await after(leaseTime + 1000, async () => expect(await inFlight(holder)).toBe(0));
    expect(await sumOf(holder)).toMatchObject({ requests: 1, errors: 1, output_tokens: 10 });
    await workspaces.settle(holder.workspace, row(id));
    expect(await sumOf(holder)).toMatchObject({ requests: 1, errors: 0, output_tokens: 10 });
  });

  it("are settled through the new instance when the object was restarted meanwhile", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    const saved = await running(holder);
    await object(workspace).listRequests({ limit: 1 });
    const kept = await running(holder);
    await restart(workspace);
    // The process remembers what the disk does not have.
    expect(await inFlight(holder)).toBe(2);
    await workspaces.settle(workspace, row(saved));
    await workspaces.settle(workspace, row(kept));
    // As of a process that ended: its lease is known nowhere.
    const unsaved = crypto.randomUUID();
    await workspaces.settle(workspace, row(unsaved));
    await workspaces.settle(workspace, row(unsaved));
    expect(await inFlight(holder)).toBe(0);
    const rows = await object(workspace).listRequests({ limit: 10 });
    expect(rows.map(({ record }) => record.id)).toEqual([unsaved, kept, saved]);
  });

  it("survive a restart of the object together with the window, keys and spend", async () => {
    const workspace = newWorkspace();
    const holder = await newHolder(workspace);
    const limits = [{ metric: "requests", period: "day", max: 60, action: "block" }] as const;
    await putConfig(workspace, {
      harnesses: [{ id: "default", name: "D", limits: [...limits] }],
    });
    const current = await workspaces.refresh(holder);
    if (typeof current === "string") throw new Error(current);
    for (let index = 0; index < 50; index += 1) await call(current);
    await object(workspace).listRequests({ limit: 1 });
    await restart(workspace);
    const answer = await call(current);
    expect(answer).toMatchObject({ verdict: "admitted", rate: { remaining: 149 } });
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => call(current)));
    expect(verdicts.map(refusalOf)).toEqual(Array.from({ length: 5 }, () => "admitted"));
    expect((await object(workspace).limits())[0]).toMatchObject({ used: 56, max: 60 });
  });
});
