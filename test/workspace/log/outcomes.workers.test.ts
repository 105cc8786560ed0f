import { describe, expect, it } from "vitest";
import type { Observation } from "../../../src/workspace/contract/outcomes.ts";
import type { Holder } from "../../../src/workspace/client/client.ts";
import {
  asking,
  isAdmitted,
  workspaces,
  newHolder,
  newWorkspace,
  object,
  putConfig,
  restart,
  row,
} from "../workers-kit.ts";

const served: Observation = { tier: "simple", what: "served" };
const learner = { harnesses: [{ id: "default", name: "D", routing: { learning: true } }] };

async function admitted(holder: Holder) {
  const { generation } = await object(holder.workspace).snapshot();
  const request = asking(holder, { generation });
  const answer = await workspaces.admit(holder.workspace, request);
  if (!isAdmitted(answer)) throw new Error("refused");
  const record = row(request.requestId, { observed: [served] });
  return {
    ...answer,
    record,
    settle: async () => await workspaces.settle(holder.workspace, record),
  };
}

const simple = async ({ workspace }: Holder) =>
  (await object(workspace).outcomes("default")).simple?.served ?? 0;

describe("counts of outcomes", () => {
  it("come back after a restart, counted once however often a request is settled", async () => {
    const holder = await newHolder(newWorkspace());
    const { settle, record } = await admitted(holder);
    await settle();
    await settle();
    // A reader of the log waits for nothing: what it sees is on the disk, and what was counted with it.
    expect(await object(holder.workspace).findRequest(record.id)).not.toHaveProperty("observed");
    await restart(holder.workspace);
    await object(holder.workspace).settleLate(record);
    expect(await simple(holder)).toBe(1);
  });

  it("are gone for good when they were forgotten, also those that were just counted", async () => {
    const holder = await newHolder(newWorkspace());
    await (await admitted(holder)).settle();
    await object(holder.workspace).listRequests({ limit: 1 });
    await (await admitted(holder)).settle();
    await object(holder.workspace).forgetOutcomes("default");
    expect(await simple(holder)).toBe(0);
    await object(holder.workspace).listRequests({ limit: 1 });
    await restart(holder.workspace);
    expect(await simple(holder)).toBe(0);
  });

  it("do not come back with a request that outlived its harness", async () => {
    const holder = await newHolder(newWorkspace());
    await (await admitted(holder)).settle();
    const { settle } = await admitted(holder);
    await putConfig(holder.workspace, { harnesses: [] });
    await settle();
    await putConfig(holder.workspace, learner);
    await restart(holder.workspace);
    expect(await simple(holder)).toBe(0);
  });

  it("travel with admission only where the harness learns", async () => {
    const holder = await newHolder(newWorkspace());
    const first = await admitted(holder);
    expect(first.outcomes).toBeUndefined();
    await first.settle();
    await putConfig(holder.workspace, learner);
    expect((await admitted(holder)).outcomes).toMatchObject({ simple: { served: 1 } });
    expect(workspaces.outcomes(holder)).toMatchObject({ simple: { served: 1 } });
  });
});
