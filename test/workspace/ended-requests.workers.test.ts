/** Requests that end are booked behind their answers, and nobody in this isolate can tell. */
import { describe, expect, it } from "vitest";
import { onWorkspace } from "../../src/workspace/client/on-workspace.ts";
import { policyOf } from "../../src/policy/choose.ts";
import { type Holder, type Workspaces, workspacesOf } from "../../src/workspace/client/client.ts";
import type { RequestEnd } from "../../src/workspace/contract/request-end.ts";
import {
  asking,
  attempt,
  env,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  row,
  workspaces,
} from "./workers-kit.ts";

const slots = 10;

/** What goes on behind the answers. */
let behind: Promise<unknown>[] = [];
const waitUntil = (work: Promise<unknown>): number => behind.push(work);

async function allBooked(): Promise<void> {
  const works = behind;
  behind = [];
  await Promise.all(works);
}

function settled(id: string, cost?: number): RequestEnd {
  const attempts = [attempt(cost === undefined ? {} : { cost })];
  return { kind: "settled", record: row(id, { attempts }) };
}

/** The end of a request whose answer waits for nothing. */
function end(workspace: string, ended: RequestEnd, through: Workspaces = workspaces): void {
  expect(through.bookLater(workspace, ended, waitUntil)).toBeUndefined();
}

/** A request that ends at once, whose answer does not wait for the workspace. */
async function request(holder: Holder, through: Workspaces = workspaces): Promise<string> {
  const asked = asking(holder);
  const answer = await through.admit(holder.workspace, asked);
  if (isAdmitted(answer)) end(holder.workspace, settled(asked.requestId), through);
  return refusalOf(answer);
}

async function rowsOf(workspace: string): Promise<string[]> {
  const page = await object(workspace).searchRequests({ limit: 500 });
  return page.rows.map(({ record }) => record.id);
}

async function sumOf(workspace: string): Promise<number> {
  const sums = await object(workspace).sums({ from: 0, to: Date.now() + 1e6, group: "model" });
  return sums.reduce((all, { requests }) => all + requests, 0);
}

describe("a client that saw an answer end", () => {
  it("finds its slot free, however fast it asks again beside nine others", async () => {
    const holder = await newHolder(newWorkspace());
    const seen = await Promise.all(
      Array.from({ length: slots }, async () => {
        const codes: string[] = [];
        for (let turn = 0; turn < 19; turn += 1) codes.push(await request(holder));
        return codes;
      }),
    );
    expect(new Set(seen.flat())).toEqual(new Set(["admitted"]));
    expect(await request(holder)).toBe("admitted");
    await allBooked();
    expect((await object(holder.workspace).status()).inFlight).toBe(0);
    expect(await sumOf(holder.workspace)).toBe(slots * 19 + 1);
  });

  it("finds its row, whatever it asks for first", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    for (let turn = 0; turn < 5; turn += 1) {
      await request(holder);
      const status = await onWorkspace(env, workspace, (stub) => stub.status());
      expect(status.inFlight).toBe(0);
      const { rows } = await onWorkspace(env, workspace, (stub) =>
        stub.searchRequests({ limit: 10 }),
      );
      expect(rows).toHaveLength(turn + 1);
    }
    await allBooked();
    expect(await sumOf(workspace)).toBe(5);
  });

  it("finds its row though nobody asks", async () => {
    const holder = await newHolder(newWorkspace());
    await request(holder);
    await allBooked();
    expect(await rowsOf(holder.workspace)).toHaveLength(1);
    expect((await object(holder.workspace).status()).inFlight).toBe(0);
  });

  it("gives its slot at once to a request that waits for one", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, { harnesses: [{ id: "default", name: "D", queue: 30 }] });
    const holder = await newHolder(workspace);
    const running = Array.from({ length: slots }, () => asking(holder));
    for (const one of running) await workspaces.admit(workspace, one, true);
    const waiting = workspaces.admit(workspace, asking(holder), true);
    await scheduler.wait(20);
    end(workspace, settled(running[0]?.requestId ?? ""));
    expect(refusalOf(await waiting)).toBe("admitted");
    await allBooked();
  });
});

it("frees a slot at once for a request that waits, though it ended while others were booked", async () => {
  const workspace = newWorkspace();
  await putConfig(workspace, { harnesses: [{ id: "default", name: "D", queue: 30 }] });
  const holder = await newHolder(workspace);
  const running = Array.from({ length: slots }, () => asking(holder));
  for (const one of running) await workspaces.admit(workspace, one, true);
  const booked = Promise.withResolvers<void>();
  // The host's own process, whose ended requests may wait long.
  const slow = answering({ ...env, BOOT_ID: "boot" }, async (call, name) => {
    const answer = await call();
    if (name === "bookEnded") await booked.promise;
    return answer;
  });
  end(workspace, { kind: "refused", record: row("req_refused", { status: 429 }) }, slow);
  const waiting = slow.admit(workspace, asking(holder), true);
  const flushes = behind.length;
  end(workspace, settled(running[0]?.requestId ?? ""), slow);
  // The flush that was planned before would come half a second later.
  expect(behind).toHaveLength(flushes + 1);
  booked.resolve();
  expect(refusalOf(await waiting)).toBe("admitted");
  await allBooked();
});

it("spends no more than the limit, however many ask at once", async () => {
  const workspace = newWorkspace();
  const limits = [{ metric: "cost", period: "month", max: 1, action: "block" }] as const;
  await putConfig(workspace, { harnesses: [{ id: "default", name: "D", limits: [...limits] }] });
  const holder = await newHolder(workspace);
  // A cent at most.
  const candidates = [{ id: "lab/one", input: 5, asked: 5, prices: { input: 1000, output: 1000 } }];
  let spent = 0;
  await Promise.all(
    Array.from({ length: slots }, async (_, index) => {
      for (let turn = 0; turn < 19; turn += 1) {
        const asked = asking(holder, { candidates });
        if (!isAdmitted(await workspaces.admit(workspace, asked))) continue;
        const cost = 0.005 + (index % 6) * 0.001;
        spent += cost;
        end(workspace, settled(asked.requestId, cost));
      }
    }),
  );
  expect(spent).toBeLessThanOrEqual(1 + 1e-9);
  expect(spent).toBeGreaterThan(0.98);
  await allBooked();
  expect((await object(workspace).limits())[0]?.used).toBeCloseTo(spent, 9);
});

it("keeps what two workspaces have here apart", async () => {
  const [one, other] = [await newHolder(newWorkspace()), await newHolder(newWorkspace())];
  const ended: Record<string, string[]> = { [one.workspace]: [], [other.workspace]: [] };
  for (let turn = 0; turn < 40; turn += 1) {
    const holder = turn % 3 === 0 ? one : other;
    const asked = asking(holder);
    expect(refusalOf(await workspaces.admit(holder.workspace, asked))).toBe("admitted");
    end(holder.workspace, settled(asked.requestId));
    ended[holder.workspace]?.push(asked.requestId);
  }
  await allBooked();
  for (const { workspace } of [one, other]) {
    expect((await rowsOf(workspace)).toSorted()).toEqual(ended[workspace]?.toSorted());
    expect(await sumOf(workspace)).toBe(ended[workspace]?.length);
  }
});

/** The workspaces with calls that fail: before they reach the object, or when it has booked already. */
function failing(fails: () => "before" | "after" | undefined): Workspaces {
  const broken = async (call: () => Promise<unknown>): Promise<unknown> => {
    const when = fails();
    if (when === "before") throw new Error("the call was lost");
    const answer = await call();
    if (when === "after") throw new Error("the answer was lost");
    return answer;
  };
  return answering(env, broken);
}

/** How a call that brings ended requests is made. */
type Calling = (call: () => Promise<unknown>, name: string) => Promise<unknown>;

/** The workspaces whose calls that bring ended requests are made so. */
function answering(bindings: Parameters<typeof workspacesOf>[0], calling: Calling): Workspaces {
  const WORKSPACE = new Proxy(bindings.WORKSPACE, {
    get(namespace, member) {
      const value: unknown = Reflect.get(namespace, member);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const made: unknown = Reflect.apply(value, namespace, given);
        return member === "get" ? withCalling(made as object, calling) : made;
      };
    },
  });
  return workspacesOf({ ...bindings, WORKSPACE }, policyOf(bindings));
}

function withCalling(stub: object, calling: Calling): object {
  return new Proxy(stub, {
    get: (inner, member) => {
      const method: unknown = Reflect.get(inner, member);
      if (typeof method !== "function") return method;
      if (member !== "bookEnded" && member !== "admitNext") return method;
      return (...given: unknown[]) =>
        calling(() => Reflect.apply(method, inner, given) as Promise<unknown>, member);
    },
  });
}

describe("a call that fails", () => {
  it.each(["before", "after"] as const)(
    "%s the object has booked is made again, and nothing is booked twice",
    async (when) => {
      const holder = await newHolder(newWorkspace());
      const { workspace } = holder;
      let failures = 2;
      const unreliable = failing(() => (failures-- > 0 ? when : undefined));
      const ids = [asking(holder), asking(holder)];
      for (const asked of ids) await workspaces.admit(workspace, asked);
      for (const { requestId } of ids) end(workspace, settled(requestId), unreliable);
      const refused = row("req_refused", { status: 429, outcome: "blocked" });
      end(workspace, { kind: "refused", record: refused }, unreliable);
      await allBooked();
      expect(await rowsOf(workspace)).toHaveLength(3);
      expect(await sumOf(workspace)).toBe(2);
      expect((await object(workspace).status()).inFlight).toBe(0);
    },
  );

  it("because the object was restarted behind its booking is made again, and nothing has two rows", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    let restarts = 1;
    const restarted = answering(env, async (call) => {
      const answer = await call();
      if (restarts-- > 0) throw Object.assign(new Error("reset"), { durableObjectReset: true });
      return answer;
    });
    // The first goes along with an admission, the second by itself.
    for (const id of ["req_first", "req_second"]) {
      const refused = row(id, { status: 429, outcome: "blocked" });
      end(workspace, { kind: "refused", record: refused }, restarted);
      if (id === "req_first") expect(await request(holder, restarted)).toBe("admitted");
      restarts = 1;
    }
    await allBooked();
    const refusedRows = (await rowsOf(workspace)).filter((id) => id.startsWith("req_"));
    expect(refusedRows.toSorted()).toEqual(["req_first", "req_second"]);
  });

  it.each(["before", "after"] as const)(
    "with an admission, %s the object has booked, leaves what it took along to the next",
    async (when) => {
      const holder = await newHolder(newWorkspace());
      const { workspace } = holder;
      let failures = 1;
      const unreliable = failing(() => (failures-- > 0 ? when : undefined));
      await request(holder, workspaces);
      await expect(request(holder, unreliable)).rejects.toThrow("was lost");
      expect(await request(holder, unreliable)).toBe("admitted");
      await allBooked();
      expect(await rowsOf(workspace)).toHaveLength(2);
      expect(await sumOf(workspace)).toBe(2);
    },
  );

  it(
    "keeps trying for a while, then gives up and lets the slot expire",
    { timeout: 60_000 },
    async () => {
      const holder = await newHolder(newWorkspace());
      const { workspace } = holder;
      const asked = asking(holder);
      await workspaces.admit(workspace, asked);
      const dead = failing(() => "before");
      end(workspace, settled(asked.requestId), dead);
      await allBooked();
      expect(await rowsOf(workspace)).toEqual([]);
      // It is in nobody's memory any more.
      expect(await request(holder)).toBe("admitted");
      await allBooked();
      expect(await rowsOf(workspace)).toHaveLength(1);
    },
  );
});

it("books nothing of a workspace that was deleted meanwhile, and forgets it", async () => {
  const holder = await newHolder(newWorkspace());
  const { workspace } = holder;
  const asked = asking(holder);
  await workspaces.admit(workspace, asked);
  await object(workspace).erase();
  await expect.poll(() => object(workspace).snapshot().catch(String)).toContain("was deleted");
  end(workspace, settled(asked.requestId));
  expect(await request(holder)).toBe("M005");
  end(workspace, settled(asked.requestId));
  await allBooked();
  await workspaces.bookAll();
});

it("makes an answer wait where too many wait to be booked, and loses none", async () => {
  const holder = await newHolder(newWorkspace());
  const { workspace } = holder;
  const waits: (Promise<void> | undefined)[] = [];
  for (let n = 0; n < 700; n += 1)
    waits.push(workspaces.bookLater(workspace, settled(`r${n}`), waitUntil));
  expect(waits[0]).toBeUndefined();
  expect(waits.at(-1)).toBeInstanceOf(Promise);
  for (const wait of waits) await wait;
  expect(await request(holder)).toBe("admitted");
  await allBooked();
  expect(await sumOf(workspace)).toBe(701);
});
