import { expect, it } from "vitest";
import { SnapshotMemory } from "../../src/workspace/client/snapshot-memory.ts";

const snapshot = (workspace: string, generation = 1, timezone = "UTC") => ({
  workspace,
  generation,
  config: { timezone },
});
const length = JSON.stringify(snapshot("ws_0")).length;

it("keeps thousands of small documents", () => {
  const memory = new SnapshotMemory(5000 * length);
  const names = Array.from({ length: 4000 }, (_, index) => `ws_${index}`);
  for (const name of names) memory.set(snapshot(name));
  expect(names.every((name) => memory.get(name)?.workspace === name)).toBe(true);
});

it("forgets those longest unused when their texts are too long together", () => {
  const memory = new SnapshotMemory(3 * length);
  for (const name of ["ws_0", "ws_1", "ws_2"]) memory.set(snapshot(name));
  memory.get("ws_0");
  memory.set(snapshot("ws_3"));
  expect(memory.get("ws_1")).toBeUndefined();
  expect(["ws_0", "ws_2", "ws_3"].map((name) => memory.get(name)?.workspace)).toEqual([
    "ws_0",
    "ws_2",
    "ws_3",
  ]);
});

it("keeps the newest snapshot of a workspace, however long, and counts what took its place", () => {
  const memory = new SnapshotMemory(2 * length);
  memory.set(snapshot("ws_0"));
  memory.set(snapshot("ws_1", 1, "x".repeat(10 * length)));
  expect(memory.get("ws_0")).toBeUndefined();
  expect(memory.get("ws_1")?.generation).toBe(1);
  memory.set(snapshot("ws_1", 2));
  memory.set(snapshot("ws_0"));
  expect(memory.get("ws_1")?.generation).toBe(2);
});
