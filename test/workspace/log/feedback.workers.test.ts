/** What people say of a request's model: kept with its row, counted once a person, and with the counts beyond the row. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { FeedbackAnswer } from "../../../src/workspace/contract/feedback.ts";
import type { Holder } from "../../../src/workspace/client/client.ts";
import {
  asking,
  isAdmitted,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  restart,
  row,
  stubOf,
  workspaces,
} from "../workers-kit.ts";

/** The id of a request that was answered. */
async function answered(holder: Holder): Promise<string> {
  const { generation } = await object(holder.workspace).snapshot();
  const request = asking(holder, { generation });
  const answer = await workspaces.admit(holder.workspace, request);
  if (!isAdmitted(answer)) throw new Error("refused");
  const observed = [{ tier: "standard", what: "served" }] as const;
  await workspaces.settle(holder.workspace, row(request.requestId, { observed: [...observed] }));
  return request.requestId;
}

async function say(
  { workspace }: Holder,
  { id, who = "person:one", answer }: { id: string; who?: string; answer?: FeedbackAnswer },
): Promise<boolean> {
  const given = answer && { answer, tier: "standard" as const };
  return await object(workspace).giveFeedback({ id, who, ...(given && { given }) });
}

async function counts({ workspace }: Holder) {
  const {
    right = 0,
    too_weak = 0,
    too_strong = 0,
  } = (await object(workspace).outcomes("default")).standard ?? {};
  return { right, too_weak, too_strong };
}

describe("feedback", () => {
  it("counts once for each person and request, whatever they say in between", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await answered(holder);
    for (const answer of ["right", "right", "too_weak"] as const) await say(holder, { id, answer });
    await say(holder, { id, who: "person:two", answer: "too_strong" });
    expect(await counts(holder)).toEqual({ right: 0, too_weak: 1, too_strong: 1 });
    const { feedback } = (await object(holder.workspace).findRequest(id)) ?? {};
    expect(feedback).toMatchObject({
      "person:one": { answer: "too_weak" },
      "person:two": { answer: "too_strong" },
    });
  });

  it("is taken back with what it counted for, and leaves no trace in the row", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await answered(holder);
    await say(holder, { id, answer: "right" });
    await say(holder, { id });
    await say(holder, { id });
    expect(await counts(holder)).toEqual({ right: 0, too_weak: 0, too_strong: 0 });
    expect(await object(holder.workspace).findRequest(id)).not.toHaveProperty("feedback");
  });

  it("is there after a restart, once it was acknowledged", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await answered(holder);
    await say(holder, { id, answer: "too_strong" });
    await restart(holder.workspace);
    expect(await counts(holder)).toMatchObject({ too_strong: 1 });
    const rows = await object(holder.workspace).searchRequests({
      limit: 5,
      feedback: "too_strong",
    });
    expect(rows.rows.map(({ record }) => record.id)).toEqual([id]);
  });

  it("outlives its row in the counts, and nobody speaks of a row that is gone", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await answered(holder);
    await say(holder, { id, answer: "too_weak" });
    await runInDurableObject(stubOf(holder.workspace), (_, { storage }) => {
      storage.sql.exec("DELETE FROM requests");
    });
    expect(await counts(holder)).toMatchObject({ too_weak: 1 });
    expect(await say(holder, { id, answer: "right" })).toBe(false);
  });

  it("begins at nothing again when what was learned is forgotten", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await answered(holder);
    await say(holder, { id, answer: "too_weak" });
    await object(holder.workspace).forgetOutcomes("default");
    await say(holder, { id, answer: "right" });
    expect(await counts(holder)).toEqual({ right: 1, too_weak: 0, too_strong: 0 });
  });

  it("is kept with the row of a harness that went, and counted nowhere", async () => {
    const holder = await newHolder(newWorkspace());
    const id = await answered(holder);
    await putConfig(holder.workspace, { harnesses: [{ id: "other", name: "Other" }] });
    expect(await say(holder, { id, answer: "right" })).toBe(true);
    expect(await object(holder.workspace).outcomes("default")).toEqual({});
  });
});

it("counts and rows of the version before, which knew no feedback, take it", async () => {
  const holder = await newHolder(newWorkspace());
  const id = await answered(holder);
  await object(holder.workspace).listRequests({ limit: 1 });
  // As that version wrote them.
  const before = {
    standard: { served: 7, errors: 1, truncated: 0, rephrased: 2, overridden: 0, bad_calls: 0 },
  };
  await runInDurableObject(stubOf(holder.workspace), (_, { storage }) => {
    const [saved] = storage.sql.exec("SELECT value FROM meta WHERE name = 'live'").toArray();
    const live = JSON.parse(String(saved?.["value"])) as Record<string, unknown>;
    const value = JSON.stringify({ ...live, outcomes: { default: before } });
    storage.sql.exec("UPDATE meta SET value = ? WHERE name = 'live'", value);
  });
  await restart(holder.workspace);
  await say(holder, { id, answer: "too_weak" });
  expect((await object(holder.workspace).outcomes("default")).standard).toEqual({
    ...before.standard,
    too_weak: 1,
  });
});
