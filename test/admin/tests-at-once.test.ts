/** Tests of providers: a workspace may run some at once, and none holds up another's. */
import { expect, it } from "vitest";
import { mostTestsAtOnce, oneOfTests } from "../../src/admin/shared/tests-at-once.ts";

it("refuses a workspace's tests beyond the bound, until one of them has ended", async () => {
  const ends: (() => void)[] = [];
  const pending = () => new Promise<void>((resolve) => void ends.push(resolve));
  const running = Array.from({ length: mostTestsAtOnce }, () => oneOfTests("one", pending));
  await expect(oneOfTests("one", async () => "ran")).rejects.toMatchObject({ status: 429 });
  expect(await oneOfTests("other", async () => "ran")).toBe("ran");
  ends[0]?.();
  await running[0];
  await expect(oneOfTests("one", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await oneOfTests("one", async () => "ran")).toBe("ran");
  for (const end of ends) end();
  await Promise.all(running);
});
