/** A roll-out runs this version beside the one before for minutes: new Workers ask old objects, old Workers new ones. */
import { describe, expect, it } from "vitest";
import { policyOf } from "../../../src/policy/choose.ts";
import { totalsOf } from "../../../src/admin/routes/requests/request-pages.ts";
import { listRequests } from "../../../src/admin/routes/requests/requests.ts";
import type { Env } from "../../../src/store/env.ts";
import { workspacesOf } from "../../../src/workspace/client/client.ts";
import type { AdmitRequest } from "../../../src/workspace/contract/admission.ts";
import type { RowFilter } from "../../../src/workspace/contract/reports.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import {
  asking,
  env,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  refusalOf,
  row,
} from "../workers-kit.ts";

/** The lease as the version before asked for it: a stub with methods. */
interface LeaseStub {
  settle(record: RequestRecord): Promise<void>;
  renew(): Promise<void>;
}

/** Admits as the Worker of the version before did, which settles and renews through the stub, or past it. */
async function admitAsBefore(workspace: string, request: AdmitRequest) {
  const answer = await object(workspace).admit(request);
  if (!isAdmitted(answer) || answer.lease === null) throw new Error(refusalOf(answer));
  // What that version took the answer for.
  const stub = answer.lease as unknown as LeaseStub;
  return {
    async settle(record: RequestRecord): Promise<void> {
      try {
        await stub.settle(record);
      } catch {
        await object(workspace).settleLate({ ...record, id: request.requestId });
      }
    },
    async renew(): Promise<void> {
      try {
        await stub.renew();
      } catch {
        await object(workspace).renewLate(request.requestId);
      }
    },
  };
}

describe("a Worker of the version before", () => {
  it("admits, renews and settles with this version's object", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    const request = asking(holder);
    const lease = await admitAsBefore(workspace, request);
    await lease.renew();
    expect((await object(workspace).status()).inFlight).toBe(1);
    await lease.settle(row(request.requestId));
    expect((await object(workspace).status()).inFlight).toBe(0);
    await lease.settle(row(request.requestId));
    const [sum] = await object(workspace).sums({ from: 0, to: Date.now() + 1e6, group: "model" });
    expect(sum).toMatchObject({ requests: 1, errors: 0, output_tokens: 10 });
  });

  it("counts addresses with this version's object", async () => {
    // Its methods by the names that the version before knows.
    const stub = env.IP.get(env.IP.idFromName(newWorkspace())) as unknown as {
      hit(): Promise<{ ok: boolean; token: number }>;
      giveBack(token: number): Promise<void>;
    };
    const { ok, token } = await stub.hit();
    expect(ok).toBe(true);
    await stub.giveBack(token);
  });

  it("may send members that this version does not know", async () => {
    const holder = await newHolder(newWorkspace());
    const request = { ...asking(holder), later: { than: "this" } };
    const answer = await object(holder.workspace).admit(request);
    expect(refusalOf(answer)).toBe("admitted");
    await object(holder.workspace).settleLate({ ...row(request.requestId), later: 1 } as never);
    expect((await object(holder.workspace).status()).inFlight).toBe(0);
  });
});

/** What the runtime says of a method that the object does not have. */
function lacking(method: string): TypeError {
  return new TypeError(`The RPC receiver does not implement the method "${method}".`);
}

/** The methods that an object of the version before has for a request, and nothing else of this version's. */
class ObjectBefore {
  readonly settled: RequestRecord[] = [];
  readonly logged: RequestRecord[] = [];
  readonly renewed: string[] = [];
  hits = 0;

  admit({ requestId }: AdmitRequest) {
    // Its lease was a stub: an object that answers every property, the id included, with another stub.
    const lease = new Proxy(() => undefined, { get: () => lease });
    const answer = { verdict: "admitted", lease, rate: null, session: null, cooling: {} };
    return Promise.resolve({ ...answer, affordable: ["lab/one"], requestId });
  }
  async admitNext(): Promise<never> {
    throw lacking("admitNext");
  }
  async bookEnded(): Promise<never> {
    throw lacking("bookEnded");
  }
  settleLate(record: RequestRecord): Promise<void> {
    this.settled.push(record);
    return Promise.resolve();
  }
  log(record: RequestRecord): Promise<void> {
    this.logged.push(record);
    return Promise.resolve();
  }
  renewLate(id: string): Promise<void> {
    this.renewed.push(id);
    return Promise.resolve();
  }
  hit() {
    this.hits += 1;
    return Promise.resolve({ ok: true, token: 7 });
  }
  giveBack(token: number): Promise<void> {
    this.hits -= token === 7 ? 1 : 0;
    return Promise.resolve();
  }
}

function workspacesBefore(before: ObjectBefore) {
  const namespace = { idFromName: (name: string) => name, get: () => before };
  const bindings = { ...env, WORKSPACE: namespace, IP: namespace } as unknown as Env;
  return workspacesOf(bindings, policyOf(env));
}

describe("this version's Worker", () => {
  it("admits, renews and settles with an object of the version before", async () => {
    const before = new ObjectBefore();
    const workspaces = workspacesBefore(before);
    const holder = await newHolder(newWorkspace());
    const request = asking(holder);
    const answer = await workspaces.admit("w", request);
    if (!isAdmitted(answer)) throw new Error("refused");
    expect(structuredClone(answer.lease)).toEqual({ id: request.requestId });
    await workspaces.renew("w", request.requestId);
    await workspaces.settle("w", row(request.requestId));
    expect(before.renewed).toEqual([request.requestId]);
    expect(before.settled.map(({ id }) => id)).toEqual([request.requestId]);
  });

  it("books what ended with an object of the version before, beside an admission and alone", async () => {
    const before = new ObjectBefore();
    const workspaces = workspacesBefore(before);
    const holder = await newHolder(newWorkspace());
    const name = newWorkspace();
    const behind: Promise<unknown>[] = [];
    const end = (kind: "settled" | "refused", id: string): void => {
      const waits = workspaces.bookLater(name, { kind, record: row(id) }, (work) =>
        behind.push(work),
      );
      expect(waits).toBeUndefined();
    };
    end("settled", "with the next");
    end("refused", "refused");
    await workspaces.admit(name, asking(holder));
    expect(before.settled.map(({ id }) => id)).toEqual(["with the next"]);
    expect(before.logged.map(({ id }) => id)).toEqual(["refused"]);
    end("settled", "alone");
    await Promise.all(behind);
    expect(before.settled.map(({ id }) => id)).toEqual(["with the next", "alone"]);
  });

  it("counts addresses with an object of the version before", async () => {
    const before = new ObjectBefore();
    const workspaces = workspacesBefore(before);
    const caller = { address: "192.0.2.1", standing: "keyed" } as const;
    const answer = await workspaces.countAddress(caller);
    expect(answer).toEqual({ ok: true, token: 7 });
    expect(before.hits).toBe(1);
    await workspaces.uncountAddress({ ...caller, token: 7 });
    expect(before.hits).toBe(0);
  });

  it("reads the log of an object of the version before, which knows few of its filters", async () => {
    const log = [
      row("new", {
        outcome: "ok",
        status: 200,
        provider: "lab",
        text: { request: "a", answer: "b" },
      }),
      row("left", { status: 499, provider: "lab" }),
      row("other", { outcome: "ok", provider: "far" }),
    ].map((record, index) => ({ seq: 3 - index, record }));
    const missing = async () => {
      throw lacking("searchRequests");
    };
    const before = {
      searchRequests: missing,
      addUpRequests: missing,
      listRequests: async ({ limit, before: end = Infinity }: RowFilter) =>
        log.filter(({ seq }) => seq < end).slice(0, limit),
    };
    const namespace = { idFromName: (name: string) => name, get: () => before };
    const scope = {
      env: { ...env, WORKSPACE: namespace } as unknown as Env,
      workspace: "w",
      caller: { role: "owner", actor: { type: "root", id: "" } },
    } as const;
    const walked: string[] = [];
    let page = await listRequests(scope, { limit: 1, provider: "lab", outcome: "left" });
    for (;;) {
      walked.push(...page.data.map(({ id }) => id));
      if (page.next === null) break;
      const query = { limit: 1, provider: "lab", outcome: "left", before: page.next };
      page = await listRequests(scope, query);
    }
    expect(walked).toEqual(["left"]);
    const { data } = await listRequests(scope, { provider: "lab" });
    expect(data.map(({ id, text }) => [id, text])).toEqual([
      ["new", undefined],
      ["left", undefined],
    ]);
    expect(await totalsOf(scope, { provider: "lab" })).toBeUndefined();
  });
});
