/** Limits of workspace, harness, key and person in workerd: races, changes that are in force at once, restarts. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { type LimitNode, limitNodes } from "../../src/policy/refusal.ts";
import type { LimitEntry } from "../../src/store/config.ts";
import type { Holder } from "../../src/workspace/client/client.ts";
import type { AdmitRequest } from "../../src/workspace/contract/admission.ts";
import { random } from "../kit/random.ts";
import {
  asking,
  attempt,
  call,
  env,
  isAdmitted,
  newKey,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  restart,
  row,
  workspaces,
} from "./workers-kit.ts";

const metrics = ["cost", "tokens", "requests"] as const;
const person = "usr_1";

function block(metric: LimitEntry["metric"], max: number): LimitEntry {
  return { metric, period: "month", max, action: "block" };
}

interface Held {
  holder: Holder;
  keyId: string;
}

/** A workspace with a key of a person, and limits on the nodes of its path. */
async function heldWorkspace(limits: Partial<Record<LimitNode, LimitEntry[]>>): Promise<Held> {
  const workspace = newWorkspace();
  await putConfig(workspace, {
    harnesses: [{ id: "default", name: "D", ...(limits.harness && { limits: limits.harness }) }],
    ...(limits.workspace && { limits: limits.workspace }),
  });
  if (limits.person) await object(workspace).setPersonLimits(person, limits.person);
  const more = { person, ...(limits.key && { limits: limits.key }) };
  const { id: keyId, text } = await newKey(workspace, "default", more);
  return { holder: await identified(text), keyId };
}

async function identified(text: string): Promise<Holder> {
  const holder = await workspaces.identify(text);
  if (typeof holder === "string") throw new Error(holder);
  return holder;
}

/** At most ten tokens in and ten out, at a dollar a thousand: a request costs two cents at most. */
const candidates = [{ id: "lab/one", input: 10, asked: 10, prices: { input: 1000, output: 1000 } }];

/** One request of the race; it uses what it asked for at most. */
async function raced({ holder, keyId }: Held, output: number): Promise<boolean> {
  const request = asking(holder, { candidates });
  const answer = await workspaces.admit(holder.workspace, request);
  if (!isAdmitted(answer)) return false;
  const usage = { ...zeros, input_tokens: 10, output_tokens: output };
  const used = attempt({ usage, cost: (10 + output) / 1000 });
  const ended = row(request.requestId, { key_id: keyId, person, attempts: [used] });
  await workspaces.settle(holder.workspace, ended);
  return true;
}

const zeros = {
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  estimated: false,
};

/** What the tightest node has room for: about a hundred requests. */
const room: Record<LimitEntry["metric"], number> = { cost: 2, tokens: 2000, requests: 100 };

/** Twelve cases of 84 races are a thousand; a sample of them uses every limit up. */
const races = inject("scope") === "full" ? 84 : 17;

const cases = metrics.flatMap((metric) => limitNodes.map((tightest) => ({ metric, tightest })));

describe("1,000 races of ten", () => {
  it.each(cases)(
    "never overrun $metric, the $tightest being the tightest",
    { timeout: 120_000 },
    async ({ metric, tightest }) => {
      const most = (node: LimitNode): number => room[metric] * (node === tightest ? 1 : 1.5);
      const limits = limitNodes.map((node) => [node, [block(metric, most(node))]] as const);
      const held = await heldWorkspace(Object.fromEntries(limits));
      let admitted = 0;
      for (let seed = 0; seed < races; seed += 1) {
        const rng = random(seed);
        const race = Array.from({ length: 10 }, () => raced(held, rng.int(0, 10)));
        admitted += (await Promise.all(race)).filter(Boolean).length;
      }
      const views = await object(held.holder.workspace).limits();
      expect(views).toHaveLength(4);
      for (const { node, used, max, reserved } of views) {
        expect(used, node).toBeLessThanOrEqual(max + 1e-9);
        expect(reserved, node).toBe(0);
      }
      expect(admitted).toBeGreaterThanOrEqual(100);
      const refused = await workspaces.admit(
        held.holder.workspace,
        asking(held.holder, { candidates }),
      );
      expect(refused).toMatchObject({ refusal: { node: tightest, metric } });
    },
  );
});

/** The verdict for a request of a caller that plans anew where what it knows is old. */
async function planned(holder: Holder, change: Partial<AdmitRequest> = {}): Promise<string> {
  const request = asking(holder, { keyVersion: holder.terms.version ?? 0, ...change });
  const answer = await workspaces.admit(holder.workspace, request);
  if (answer.verdict !== "stale") {
    if (isAdmitted(answer)) await workspaces.settle(holder.workspace, row(request.requestId));
    return refusalOf(answer);
  }
  return await planned(workspaces.renewed(holder, answer), change);
}

describe("a key that is changed", () => {
  it("is known everywhere with the next request", async () => {
    const workspace = newWorkspace();
    const { id, text } = await newKey(workspace);
    const holder = await identified(text);
    expect(holder.terms).toEqual({ expires_at: null });
    const limits = [block("requests", 1)];
    const of = { harness: "default", id };
    expect(
      await object(workspace).changeKey(of, { limits, models: ["lab/*"], name: "n" }),
    ).toMatchObject({ name: "n", limits, models: ["lab/*"], version: 1 });
    // This isolate remembers the key as it was.
    const old = await identified(text);
    expect(old.terms.models).toBeUndefined();
    const answer = await workspaces.admit(workspace, { ...asking(old), keyVersion: 0 });
    if (answer.verdict !== "stale") throw new Error(answer.verdict);
    const terms = { expires_at: null, limits, models: ["lab/*"], version: 1 };
    expect(workspaces.renewed(old, answer).terms).toEqual(terms);
    expect((await identified(text)).terms).toEqual(terms);
    await object(workspace).changeKey(of, { limits: null, models: null });
    expect(await workspaces.refresh(old)).toMatchObject({
      terms: { expires_at: null, version: 2 },
    });
    expect((await object(workspace).listKeys("default"))?.[0]).not.toHaveProperty("limits");
  });

  it("ends at once where its expiry is moved into the past, and goes on where it is moved back", async () => {
    const workspace = newWorkspace();
    const { id, text } = await newKey(workspace);
    const holder = await identified(text);
    const of = { harness: "default", id };
    await object(workspace).changeKey(of, { expires_at: new Date(0).toISOString() });
    expect(await planned(holder)).toBe("M004");
    workspaces.distrust(holder.keyHash);
    expect(await workspaces.identify(text)).toBe("M004");
    await object(workspace).changeKey(of, { expires_at: null });
    expect(await planned(await identified(text))).toBe("admitted");
  });

  it("of another harness, or none, is not changed", async () => {
    const workspace = newWorkspace();
    const { id } = await newKey(workspace);
    expect(await object(workspace).changeKey({ harness: "other", id }, {})).toBeUndefined();
    expect(await object(workspace).changeKey({ harness: "default", id: "no" }, {})).toBeUndefined();
  });

  it("does not trouble callers of the version before, whose requests its limits hold all the same", async () => {
    const { holder, keyId } = await heldWorkspace({});
    const of = { harness: "default", id: keyId };
    await object(holder.workspace).changeKey(of, { limits: [block("requests", 1)] });
    const request = (): AdmitRequest => asking(holder);
    expect(refusalOf(await workspaces.admit(holder.workspace, request()))).toBe("admitted");
    expect(refusalOf(await workspaces.admit(holder.workspace, request()))).toBe("M200");
  });
});

describe("a person", () => {
  it("has limits that hold all their keys together, from the next request on", async () => {
    const { holder } = await heldWorkspace({});
    const { workspace } = holder;
    const second = await identified((await newKey(workspace, "default", { person })).text);
    expect(await planned(holder)).toBe("admitted");
    const limits = [block("requests", 3)];
    await object(workspace).setPersonLimits(person, limits);
    expect(await object(workspace).personLimits()).toEqual({ [person]: limits });
    expect(await workspaces.refresh(holder)).toMatchObject({ terms: { limits, version: 1 } });
    expect(await planned(second)).toBe("admitted");
    expect(await planned(holder)).toBe("admitted");
    expect([await planned(holder), await planned(second)]).toEqual(["M200", "M200"]);
    await object(workspace).setPersonLimits(person, []);
    expect(await object(workspace).personLimits()).toEqual({});
    expect(await planned(second)).toBe("admitted");
  });

  it("who leaves has no key any more, gets none, and may come back", async () => {
    const { holder, keyId } = await heldWorkspace({ person: [block("requests", 100)] });
    const { workspace } = holder;
    const other = await newKey(workspace);
    expect(await object(workspace).revokePerson(person)).toEqual([keyId]);
    expect(await planned(holder)).toBe("M005");
    expect(await workspaces.refresh(holder)).toBe("M005");
    await restart(workspace);
    await expect(newKey(workspace, "default", { person })).rejects.toThrow("left");
    expect(await planned(await identified(other.text))).toBe("admitted");
    await object(workspace).welcomePerson(person);
    const again = await identified((await newKey(workspace, "default", { person })).text);
    expect(await planned(again)).toBe("admitted");
    expect(Object.keys(await object(workspace).personLimits())).toEqual([person]);
  });
});

describe("sums of keys and persons", () => {
  it("are read again after a restart, when they are needed", async () => {
    const held = await heldWorkspace({ key: [block("requests", 3)] });
    const { workspace } = held.holder;
    for (let sent = 0; sent < 2; sent += 1) expect(await raced(held, 5)).toBe(true);
    const pending = asking(held.holder);
    expect(refusalOf(await workspaces.admit(workspace, pending))).toBe("admitted");
    // Reading the log writes everything down first.
    await object(workspace).listRequests({ limit: 1 });
    await restart(workspace);
    expect(refusalOf(await call(held.holder))).toBe("M200");
    expect(await object(workspace).limits()).toMatchObject([
      { node: "key", id: held.keyId, harness: "", used: 2, reserved: 1 },
    ]);
    await workspaces.settle(workspace, row(pending.requestId));
    const names = [`key:${held.keyId}`, `person:${person}`, "default"];
    const days = await object(workspace).daysOf(names);
    expect(Object.keys(days)).toEqual(names.slice(0, 2));
    for (const name of names.slice(0, 2)) expect(days[name]).toMatchObject([{ requests: 3 }]);
  });

  it("stand beside those of harnesses, which do not count them twice", async () => {
    const held = await heldWorkspace({ person: [{ ...block("tokens", 1), action: "notify" }] });
    const { workspace } = held.holder;
    await raced(held, 5);
    await call(await identified((await newKey(workspace)).text));
    const span = { from: 0, to: Date.now() + 3_600_000 };
    const requestsOf = async (holder?: string): Promise<[string, number][]> => {
      const question = {
        ...span,
        group: "harness" as const,
        ...(holder !== undefined && { holder }),
      };
      const rows = await object(workspace).sums(question);
      return rows.map(({ group, requests }) => [group, requests]);
    };
    expect(await requestsOf()).toEqual([["default", 2]]);
    expect(await requestsOf(`person:${person}`)).toEqual([[`person:${person}`, 1]]);
    expect(await requestsOf("default")).toEqual([["default", 2]]);
    expect((await object(workspace).status()).monthly.used).toBe(2);
    const rows = await object(workspace).listRequests({ limit: 10, person });
    expect(rows.map(({ record }) => [record.person, record.key_id])).toEqual([
      [person, held.keyId],
    ]);
    expect(await object(workspace).blocks(10)).toMatchObject([
      { node: "person", id: person, harness: "", action: "notify" },
    ]);
    // Summed anew, as where the running totals were not saved.
    await putConfig(workspace, {
      timezone: "Asia/Tokyo",
      harnesses: [{ id: "default", name: "D" }],
    });
    expect((await object(workspace).status()).monthly.used).toBe(2);
  });

  it("are carried over where the time zone changes", async () => {
    const held = await heldWorkspace({
      key: [block("requests", 1)],
      person: [block("requests", 1)],
    });
    const { workspace } = held.holder;
    expect(await raced(held, 1)).toBe(true);
    for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]) {
      await putConfig(workspace, { timezone, harnesses: [{ id: "default", name: "D" }] });
      const { generation } = await object(workspace).snapshot();
      expect(refusalOf(await call(held.holder, { generation })), timezone).toBe("M200");
    }
  });

  it("go with their key", async () => {
    const held = await heldWorkspace({});
    const { workspace } = held.holder;
    await raced(held, 1);
    await object(workspace).listRequests({ limit: 1 });
    expect(await savedNodes(workspace)).toEqual([`key:${held.keyId}`, `person:${person}`]);
    await object(workspace).deleteKey("default", held.keyId);
    expect(await savedNodes(workspace)).toEqual([`person:${person}`]);
  });
});

async function savedNodes(workspace: string): Promise<unknown[]> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  return await runInDurableObject(stub, (_instance, { storage }) =>
    storage.sql
      .exec("SELECT node FROM running ORDER BY node")
      .toArray()
      .map(({ node }) => node),
  );
}
