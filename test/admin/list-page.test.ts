import { describe, expect, it } from "vitest";
import { listQuerySchema, pageOfList } from "../../src/admin/shared/list-page.ts";

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `i${index}` }));
const query = (more: { limit?: number; before?: string } = {}) => listQuerySchema.parse(more);

describe("a list in pages", () => {
  it("is whole where it is short, and says nothing of a next page", () => {
    expect(pageOfList(items(1000), query())).toEqual({ data: items(1000) });
    expect(pageOfList([], query({ limit: 1 }))).toEqual({ data: [] });
  });

  it("has every item once, in its order", () => {
    const found = [];
    let page = pageOfList(items(25), query({ limit: 10 }));
    found.push(...page.data);
    while (page.next !== undefined) {
      page = pageOfList(items(25), query({ limit: 10, before: page.next }));
      found.push(...page.data);
    }
    expect(found).toEqual(items(25));
  });

  it("goes on at its place where items were removed meanwhile", () => {
    const all = items(30);
    const { next = "" } = pageOfList(all, query({ limit: 10 }));
    const after = (left: typeof all) => pageOfList(left, query({ limit: 1, before: next })).data;
    expect(after(all.slice(5))).toEqual([{ id: "i10" }]);
    expect(after(all.filter(({ id }) => id !== "i9"))).toEqual([{ id: "i10" }]);
  });

  it.each(["x", "czE", "cDEg"])("refuses %j, which is no cursor of it", (before) => {
    expect(() => pageOfList(items(3), query({ before }))).toThrow("before");
  });

  it.each([0, 1001, 1.5])("refuses a limit of %j", (limit) => {
    expect(listQuerySchema.safeParse({ limit }).success).toBe(false);
  });
});
