/** What a process knows of batches that no instance could write yet. */
import { expect, it } from "vitest";
import { newBatch } from "../../src/workspace/storage/batch.ts";
import { SeldomWrites } from "../../src/workspace/storage/tables/seldom.ts";
import { UnwrittenMemory, type Unwritten } from "../../src/workspace/storage/unwritten.ts";
import { workspace } from "./rules/kit.ts";

it("an attempt counts once, whether its file could be opened or not", () => {
  let now = 1_000_000;
  const memory = new UnwrittenMemory(() => now);
  const left: Unwritten = {
    workspace: "w",
    state: workspace(),
    writing: [{ batch: newBatch(), at: now }],
    batch: newBatch(),
    seldom: new SeldomWrites(),
    seq: 0,
    failure: undefined,
  };
  memory.keep("id", left);
  expect(memory.stranded()).toEqual([]);
  now += 1500;
  expect(memory.stranded()).toEqual(["w"]);
  // Two calls that were on their way at once.
  memory.noteUnopened("w");
  memory.noteUnopened("w");
  memory.noteUnopened("other");
  expect([memory.failures, memory.isFailing]).toEqual([1, true]);
  now += 1500;
  expect(memory.stranded()).toEqual([]);
  now += 1500;
  expect(memory.stranded()).toEqual(["w"]);
  memory.noteUnopened("w");
  expect(memory.failures).toBe(2);
  // The file opens again: nothing new has failed.
  expect(memory.take("id", () => 0)?.failure?.times).toBe(2);
  expect(memory.failures).toBe(2);
});
