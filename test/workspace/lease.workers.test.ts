import { describe, expect, it } from "vitest";
import { workspaceStub } from "../../src/workspace/remote.ts";
import {
  asking,
  call,
  env,
  type Admitted,
  isAdmitted,
  meter,
  newHolder,
  newWorkspace,
  object,
  refusalOf,
  restart,
  row,
} from "./workers-kit.ts";

async function admitted(holder: Awaited<ReturnType<typeof newHolder>>): Promise<Admitted> {
  const answer = await workspaceStub(env, holder.workspace).admit(asking(holder));
  if (!isAdmitted(answer)) throw new Error(refusalOf(answer));
  return answer;
}

/** Until the condition holds; a test's own time limit ends it otherwise. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("leases in workerd", () => {
  it("are freed when the caller lets go of the stub without settling", async () => {
    const holder = await newHolder(newWorkspace());
    const answers = await Promise.all(Array.from({ length: 10 }, () => admitted(holder)));
    expect(refusalOf(await call(holder))).toBe("M203");
    for (const answer of answers) Reflect.get(answer, Symbol.dispose).call(answer);
    await until(async () => (await object(holder.workspace).status()).inFlight === 0);
    expect(refusalOf(await call(holder))).toBe("admitted");
    const [sum] = await object(holder.workspace).sums({
      from: 0,
      to: Date.now() + 1e6,
      group: "model",
    });
    expect(sum).toMatchObject({
      group: "lab/one",
      requests: 11,
      errors: 10,
      input_tokens: 110,
      output_tokens: 10,
    });
  });

  it("are settled once, whoever settles again", async () => {
    const holder = await newHolder(newWorkspace());
    const request = asking(holder);
    const answer = await workspaceStub(env, holder.workspace).admit(request);
    if (!isAdmitted(answer)) throw new Error("refused");
    const record = row(request.requestId);
    await answer.lease?.settle(record);
    await answer.lease?.settle(record);
    Reflect.get(answer, Symbol.dispose).call(answer);
    await object(holder.workspace).settleLate(record);
    const [sum] = await object(holder.workspace).sums({
      from: 0,
      to: Date.now() + 1e6,
      group: "model",
    });
    expect(sum).toMatchObject({ requests: 1, input_tokens: 10 });
  });

  it("are settled through the new instance when the object was restarted meanwhile", async () => {
    const holder = await newHolder(newWorkspace());
    const saved = asking(holder);
    const answer = await meter.admit(holder.workspace, saved);
    await object(holder.workspace).listRequests({ limit: 1 });
    const unsaved = asking(holder);
    const late = await meter.admit(holder.workspace, unsaved);
    await restart(holder.workspace);
    expect((await object(holder.workspace).status()).inFlight).toBe(1);
    if (!isAdmitted(answer) || !isAdmitted(late)) throw new Error("refused");
    await answer.lease?.settle(row(saved.requestId));
    await late.lease?.settle(row(unsaved.requestId));
    await late.lease?.settle(row(unsaved.requestId));
    expect((await object(holder.workspace).status()).inFlight).toBe(0);
    const rows = await object(holder.workspace).listRequests({ limit: 10 });
    expect(rows.map(({ record }) => record.id)).toEqual([unsaved.requestId, saved.requestId]);
  });

  it("survive a restart of the object together with the window, keys and spend", async () => {
    const workspace = newWorkspace();
    const holder = await newHolder(workspace);
    const config = {
      harnesses: [
        {
          id: "default",
          name: "D",
          limits: [{ metric: "requests", period: "day", max: 60, action: "block" }],
        },
      ],
    } as const;
    await object(workspace).putConfig(
      { harnesses: [{ ...config.harnesses[0], limits: [...config.harnesses[0].limits] }] },
      1,
    );
    const current = await meter.refresh(holder);
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
