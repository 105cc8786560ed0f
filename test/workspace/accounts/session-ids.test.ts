import { describe, expect, it } from "vitest";
import { rotate, type SessionIds } from "../../../src/workspace/accounts/tables/session-ids.ts";

const minute = 60_000;
const fresh: SessionIds = { id: "one", offered: null, replaced: null, changed: 0 };
const ask = (ids: SessionIds, presented: string, now: number) =>
  rotate(ids, { presented, next: "new", active: true }, now);

describe("the id of a session", () => {
  it("stays for a quarter of an hour, and as long as nobody is there", () => {
    expect(ask(fresh, "one", 14 * minute)).toEqual({ ids: fresh, rotated: false });
    expect(rotate(fresh, { presented: "one", next: "new", active: false }, 60 * minute)).toEqual({
      ids: fresh,
      rotated: false,
    });
  });

  it("is replaced when the browser comes back with the one that it was offered", () => {
    const offered = ask(fresh, "one", 15 * minute);
    expect(offered).toMatchObject({ rotated: true, ids: { id: "one", offered: "new" } });
    const ids = offered?.ids ?? fresh;
    const next = ask(ids, "new", 15 * minute + 1);
    expect(next).toMatchObject({
      rotated: false,
      ids: { id: "new", offered: null, replaced: "one" },
    });
  });

  it("is good for some seconds beside the new one, and then no more", () => {
    const ids = { id: "new", offered: null, replaced: "one", changed: 0 };
    expect(ask(ids, "one", 10_000)).toEqual({ ids, rotated: false });
    expect(ask(ids, "one", 16_000)).toBeUndefined();
  });

  it("is offered anew where the answer with the offer never arrived", () => {
    const ids = { id: "one", offered: "lost", replaced: null, changed: 0 };
    expect(ask(ids, "one", 10_000)).toEqual({ ids, rotated: false });
    expect(ask(ids, "one", 16_000)).toMatchObject({ rotated: true, ids: { offered: "new" } });
  });
});
