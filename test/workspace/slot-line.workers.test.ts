import { describe, expect, it } from "vitest";
import type { AdmitAnswer, AdmitRequest } from "../../src/workspace/contract/admission.ts";
import type { Holder } from "../../src/workspace/client/client.ts";
import {
  asking,
  isAdmitted,
  newHolder,
  newKey,
  newWorkspace,
  object,
  putConfig,
  refusalOf,
  row,
  workspaces,
} from "./workers-kit.ts";

const slots = 10;
const patience = { timeout: 60_000 };

/** A workspace whose harness lets requests wait for so many seconds. */
async function waitingHolder(queue: number): Promise<Holder> {
  const workspace = newWorkspace();
  await putConfig(workspace, { harnesses: [{ id: "default", name: "D", queue }] });
  return await newHolder(workspace);
}

async function holderOf(workspace: string): Promise<Holder> {
  const holder = await workspaces.identify((await newKey(workspace)).text);
  if (typeof holder === "string") throw new Error(holder);
  return holder;
}

interface Asked {
  request: AdmitRequest;
  answer: Promise<AdmitAnswer>;
}

function ask(holder: Holder): Asked {
  const request = asking(holder);
  return { request, answer: workspaces.admit(holder.workspace, request) };
}

function askMany(holder: Holder, count: number): Asked[] {
  return Array.from({ length: count }, () => ask(holder));
}

/** Takes every slot. */
async function fill(holder: Holder): Promise<Asked[]> {
  const running = askMany(holder, slots);
  for (const { answer } of running) expect(isAdmitted(await answer)).toBe(true);
  return running;
}

async function end({ workspace }: Holder, asked: Asked | undefined): Promise<void> {
  if (asked !== undefined) await workspaces.settle(workspace, row(asked.request.requestId));
}

/** Whether it has been answered after a moment. */
async function isOpen({ answer }: Asked): Promise<boolean> {
  return (await Promise.race([answer, scheduler.wait(100).then(() => "open" as const)])) === "open";
}

/** Waits until so many of them are answered. */
async function someAnswers(asked: readonly Asked[], count: number): Promise<void> {
  const enough = Promise.withResolvers<void>();
  let answered = 0;
  for (const { answer } of asked)
    answer.then(() => (answered += 1) === count && enough.resolve(), enough.reject);
  await enough.promise;
}

async function codeOf({ answer }: Asked): Promise<string> {
  return refusalOf(await answer);
}

describe("requests that wait for a slot", () => {
  it("get it in the order in which they came", patience, async () => {
    const holder = await waitingHolder(30);
    const running = await fill(holder);
    const first = ask(holder);
    expect(await isOpen(first)).toBe(true);
    const second = ask(holder);
    expect(await isOpen(second)).toBe(true);
    await end(holder, running[0]);
    expect(await codeOf(first)).toBe("admitted");
    expect(await isOpen(second)).toBe(true);
    await end(holder, running[1]);
    expect(await codeOf(second)).toBe("admitted");
  });

  it("never run beside more than nine others, however many come and go", patience, async () => {
    const holder = await waitingHolder(30);
    let running = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const answers = await Promise.all(
      askMany(holder, 80).map(async (asked) => {
        const answer = await asked.answer;
        most = Math.max(most, (running += 1));
        // However slowly the answers come: the first ones stay until every slot is taken.
        if (running === slots) full.resolve();
        await full.promise;
        await scheduler.wait(5);
        running -= 1;
        await end(holder, asked);
        return refusalOf(answer);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(["admitted"]));
    expect(most).toBe(slots);
    expect((await object(holder.workspace).status()).inFlight).toBe(0);
  });

  it("are refused when their time is over, and take no slot afterwards", patience, async () => {
    const holder = await waitingHolder(0.3);
    const running = await fill(holder);
    expect(await codeOf(ask(holder))).toBe("M203");
    await end(holder, running[0]);
    expect(await codeOf(ask(holder))).toBe("admitted");
  });

  it("do not wait where the harness sets no time", async () => {
    const holder = await newHolder(newWorkspace());
    await fill(holder);
    expect(await codeOf(ask(holder))).toBe("M203");
  });

  it("leave the line with their clients, and take no slot", patience, async () => {
    const holder = await waitingHolder(30);
    const running = await fill(holder);
    const gone = ask(holder);
    expect(await isOpen(gone)).toBe(true);
    const stays = ask(holder);
    expect(await isOpen(stays)).toBe(true);
    await workspaces.leaveLine(holder.workspace, gone.request.requestId);
    expect(await codeOf(gone)).toBe("M203");
    await end(holder, running[0]);
    expect(await codeOf(stays)).toBe("admitted");
    expect((await object(holder.workspace).status()).inFlight).toBe(slots);
  });

  it("are at most a hundred, and refused at once beyond", patience, async () => {
    const holder = await waitingHolder(30);
    const running = await fill(holder);
    const waiting = askMany(holder, 120);
    await someAnswers(waiting, 20);
    const answered = await Promise.all(waiting.map(async (asked) => !(await isOpen(asked))));
    expect(answered.filter(Boolean)).toHaveLength(20);
    for (const asked of running) await end(holder, asked);
    await Promise.all(
      waiting.map(async (asked) => {
        if (refusalOf(await asked.answer) === "admitted") await end(holder, asked);
      }),
    );
    expect((await object(holder.workspace).status()).inFlight).toBe(0);
  });

  it("of a key that floods delay those of another by one turn", patience, async () => {
    const flooding = await waitingHolder(30);
    const quiet = await holderOf(flooding.workspace);
    const running = await fill(flooding);
    const flood = askMany(flooding, 120);
    await Promise.all(flood.map(isOpen));
    const one = ask(quiet);
    expect(await isOpen(one)).toBe(true);
    await end(flooding, running[0]);
    await end(flooding, running[1]);
    expect(await codeOf(one)).toBe("admitted");
    for (const { request } of flood)
      await workspaces.leaveLine(flooding.workspace, request.requestId);
  });

  it("meet the budget as it is when they get the slot", patience, async () => {
    const workspace = newWorkspace();
    const limits = [{ metric: "requests", period: "day", max: 11, action: "block" }] as const;
    await putConfig(workspace, {
      harnesses: [{ id: "default", name: "D", queue: 30, limits: [...limits] }],
    });
    const holder = await newHolder(workspace);
    const running = await fill(holder);
    const waiting = askMany(holder, 2);
    for (const asked of waiting) expect(await isOpen(asked)).toBe(true);
    await end(holder, running[0]);
    await end(holder, running[1]);
    const codes = await Promise.all(waiting.map(codeOf));
    expect(codes.toSorted()).toEqual(["M200", "admitted"]);
  });

  it("are planned anew where the document changed meanwhile", patience, async () => {
    const holder = await waitingHolder(30);
    const running = await fill(holder);
    const waiting = ask(holder);
    expect(await isOpen(waiting)).toBe(true);
    await putConfig(holder.workspace, { harnesses: [{ id: "default", name: "New", queue: 30 }] });
    await end(holder, running[0]);
    expect((await waiting.answer).verdict).toBe("stale");
  });

  it("wait no longer than their time when they ask again", patience, async () => {
    const holder = await waitingHolder(30);
    await fill(holder);
    const again = asking(holder, { waited: 30_000 });
    expect(refusalOf(await workspaces.admit(holder.workspace, again))).toBe("M203");
  });

  it("do not hold up other calls of the workspace", patience, async () => {
    const holder = await waitingHolder(30);
    await fill(holder);
    const waiting = askMany(holder, 100);
    for (const asked of waiting.slice(0, 1)) expect(await isOpen(asked)).toBe(true);
    const light = await workspaces.admit(holder.workspace, asking(holder, { weight: "light" }));
    expect(refusalOf(light)).toBe("admitted");
    for (const { request } of waiting)
      await workspaces.leaveLine(holder.workspace, request.requestId);
  });
});
