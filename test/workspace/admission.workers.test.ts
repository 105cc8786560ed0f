import { describe, expect, it } from "vitest";
import {
  asking,
  call,
  isAdmitted,
  workspaces,
  newHolder,
  newWorkspace,
  refusalOf,
  row,
} from "./workers-kit.ts";

const rounds = 5;
/** Thousands of calls, on a machine that may be busy. */
const patience = { timeout: 60_000 };

describe("admission in workerd", () => {
  it(
    "admits exactly 200 of 260 parallel calls in a minute, and the rest get M201",
    patience,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const holder = await newHolder(newWorkspace());
        const codes = await Promise.all(
          Array.from({ length: 260 }, async () =>
            refusalOf(await call(holder, { weight: "light" })),
          ),
        );
        expect(codes.filter((code) => code === "admitted")).toHaveLength(200);
        expect(codes.filter((code) => code === "M201")).toHaveLength(60);
      }
    },
  );

  it("holds exactly ten slots, and frees each when its request is settled", patience, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const holder = await newHolder(newWorkspace());
      const requests = Array.from({ length: 13 }, () => asking(holder));
      const answers = await Promise.all(
        requests.map((request) => workspaces.admit(holder.workspace, request)),
      );
      expect(answers.map(refusalOf).filter((code) => code === "M203")).toHaveLength(3);
      for (const [index, answer] of answers.entries()) {
        const request = requests[index];
        if (isAdmitted(answer) && request !== undefined) {
          await workspaces.settle(holder.workspace, row(request.requestId));
          expect(refusalOf(await call(holder))).toBe("admitted");
        }
      }
    }
  });

  it("counts a call that found no slot in no window", async () => {
    const holder = await newHolder(newWorkspace());
    const held = await Promise.all(
      Array.from({ length: 10 }, () => workspaces.admit(holder.workspace, asking(holder))),
    );
    const before = held.at(-1);
    const refused = await workspaces.admit(holder.workspace, asking(holder));
    expect(refusalOf(refused)).toBe("M203");
    if (before?.verdict !== "admitted" || refused.verdict !== "refused") throw new Error("not so");
    expect(refused.rate?.remaining).toBe(190);
    expect(before.rate?.limit).toBe(200);
  });

  it("counts exactly 500 of 650 parallel calls of one address", patience, async () => {
    const caller = { address: newWorkspace(), standing: "keyed" } as const;
    const answers = await Promise.all(
      Array.from({ length: 650 }, async () => await workspaces.countAddress(caller)),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(500);
    const first = answers.find((answer) => answer.ok);
    if (first?.ok === true) await workspaces.uncountAddress({ ...caller, token: first.token });
    expect((await workspaces.countAddress(caller)).ok).toBe(true);
    expect(await workspaces.countAddress(caller)).toMatchObject({ ok: false, limit: 500 });
  });
});
