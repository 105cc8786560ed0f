/** Sinks that are told behind answers. */
import { describe, expect, it } from "vitest";
import { BehindAnswers } from "../../src/telemetry/behind-answers.ts";
import type { FinishedRequest } from "../../src/telemetry/finished-request.ts";
import type { Sink } from "../../src/telemetry/sink.ts";
import { identified } from "./finished.ts";

const failing: Sink = {
  tell() {
    throw new Error("a fault of a sink");
  },
};

function listening(ignores: (id: string) => boolean = () => false) {
  const heard: string[] = [];
  const sink: Sink = {
    ignores: ({ id }: FinishedRequest) => ignores(id),
    tell: ({ id }) => void heard.push(id),
  };
  return { sink, heard };
}

describe("a sink behind answers", () => {
  it("hears of all requests in their order, later, with one work for all, whatever another sink does", async () => {
    const { sink, heard } = listening();
    const work: Promise<unknown>[] = [];
    const behind = new BehindAnswers([failing, sink], Date.now);
    for (const id of ["a", "b", "c"]) behind.tell(identified({ id }), (task) => work.push(task));
    expect(heard).toEqual([]);
    expect(work).toHaveLength(1);
    await Promise.all(work);
    expect(heard).toEqual(["a", "b", "c"]);
  });

  it("plans nothing for what every sink ignores", () => {
    const work: Promise<unknown>[] = [];
    const behind = new BehindAnswers([listening(() => true).sink], Date.now);
    behind.tell(identified(), (task) => work.push(task));
    expect(work).toEqual([]);
  });

  it("hears of what waits with the next request where the runtime ended the one that was to tell it", async () => {
    const { sink, heard } = listening();
    let now = 1;
    const work: Promise<unknown>[] = [];
    const behind = new BehindAnswers([sink], () => now);
    behind.tell(identified({ id: "a" }), () => undefined);
    now += 2000;
    behind.tell(identified({ id: "b" }), (task) => work.push(task));
    expect(work).toHaveLength(1);
    await Promise.all(work);
    expect(heard).toEqual(["a", "b"]);
  });

  it("is told of what waits before the process ends", async () => {
    const { sink, heard } = listening();
    const behind = new BehindAnswers([sink], Date.now);
    behind.tell(identified({ id: "a" }), () => undefined);
    await behind.flush();
    expect(heard).toEqual(["a"]);
  });
});
