import { describe, expect, it } from "vitest";
import { jurisdictionOf, workspaceIdPrefix } from "../../../src/store/jurisdiction.ts";
import { workspaceObject } from "../../../src/workspace/namespace.ts";

/** A namespace that notes how its objects are reached. */
function namespace(jurisdiction: string | null, told?: (words: string) => Error) {
  return {
    jurisdiction: (name: string) => {
      if (told !== undefined)
        throw told("Jurisdiction restrictions are not implemented in workerd.");
      return namespace(name);
    },
    idFromName: (name: string) => name,
    get: (id: string, options?: object) => ({ jurisdiction, id, ...options }),
  };
}

function reached(id: string, continent?: string, told?: (words: string) => Error): unknown {
  // Only these members of a namespace are used.
  const all = namespace(null, told) as unknown as DurableObjectNamespace;
  return workspaceObject({ WORKSPACE: all }, id, continent);
}

describe("the id of a workspace", () => {
  it.each([
    ["ws_eu_abc", "eu"],
    ["ws_us_abc", "us"],
    ["ws_abc", null],
    ["ws_eufoo", null],
    ["default", null],
  ])("%s says %s", (id, jurisdiction) => {
    expect(jurisdictionOf(id)).toBe(jurisdiction);
  });

  it("alone leads to its object, wherever the caller is", () => {
    const id = `${workspaceIdPrefix("eu")}abc`;
    expect(reached(id, "NA")).toEqual({ jurisdiction: "eu", id, locationHint: "weur" });
    expect(reached(id)).toEqual({ jurisdiction: "eu", id, locationHint: "weur" });
    expect(reached("ws_abc", "OC")).toEqual({
      jurisdiction: null,
      id: "ws_abc",
      locationHint: "oc",
    });
    expect(reached("ws_abc")).toEqual({ jurisdiction: null, id: "ws_abc" });
  });

  it("moves to no other object because of a fault, but where the runtime knows no jurisdictions", () => {
    expect(() => reached("ws_eu_abc", "EU", () => new Error("overloaded"))).toThrow("overloaded");
    const local = reached("ws_eu_abc", "EU", (words) => new Error(words));
    expect(local).toMatchObject({ jurisdiction: null, id: "ws_eu_abc" });
  });
});
