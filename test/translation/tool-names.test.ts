import { describe, expect, it } from "vitest";
import { noNames, toolNames, type NameRules } from "../../src/translation/tool-names.ts";
import type { Tool } from "../../src/core/request.ts";
import { assistant, call, turn } from "../kit/neutral.ts";
import { random } from "../kit/random.ts";

const rules: NameRules = { maxLength: 64, flatten: true, customAsFunction: true };
const tool = (name: string, namespace?: string): Tool => ({
  kind: "function",
  name,
  path: "tools[]",
  ...(namespace !== undefined && { namespace }),
});
const table = (tools: Tool[], changed: Partial<NameRules> = {}) =>
  toolNames(turn({ tools }), { ...rules, ...changed });

describe("names of tools on the wire", () => {
  it("legal ones stay, even where an illegal one would become the same", () => {
    const names = table([tool("a.b"), tool("a_b")]);
    expect(names.toWire("a_b")).toBe("a_b");
    expect(names.toWire("a.b")).not.toBe("a_b");
    expect(names.fromWire(names.toWire("a.b")).name).toBe("a.b");
  });

  it("long ones keep a readable head and stay apart", () => {
    const long = `mcp__server__${"x".repeat(90)}`;
    const names = table([tool(`${long}1`), tool(`${long}2`)]);
    const endpoints = [names.toWire(`${long}1`), names.toWire(`${long}2`)];
    expect(new Set(endpoints).size).toBe(2);
    for (const wire of endpoints) expect(wire).toMatch(/^mcp__server__[A-Za-z0-9_-]{1,51}$/);
  });

  it("a namespace becomes part of the name and comes back apart", () => {
    const names = table([tool("run", "agents"), tool("run")]);
    expect(names.toWire("run", "agents")).toBe("agents__run");
    expect(names.fromWire("agents__run")).toEqual({
      name: "run",
      namespace: "agents",
      call: "function",
    });
    expect(names.fromWire("run")).toEqual({ name: "run", call: "function" });
  });

  it("a flattened name gives way to a tool that has it already", () => {
    const names = table([tool("run", "agents"), tool("agents__run")]);
    expect(names.toWire("agents__run")).toBe("agents__run");
    expect(names.fromWire(names.toWire("run", "agents"))).toMatchObject({
      name: "run",
      namespace: "agents",
    });
  });

  it("freeform tools are known as such when they come back", () => {
    const names = table([{ kind: "custom", name: "apply_patch", path: "tools[]" }]);
    expect(names.fromWire("apply_patch")).toEqual({ name: "apply_patch", call: "custom" });
  });

  it("calls of the history have names too, but what is declared now decides their kind", () => {
    const past = { ...call("1", "old tool"), call: "custom" as const };
    const names = toolNames(
      turn({ tools: [tool("new")], messages: [assistant(past, call("2", "new"))] }),
      rules,
    );
    expect(names.toWire("old tool")).toBe("old_tool");
    expect(names.fromWire("old_tool").call).toBe("custom");
    expect(names.fromWire("new").call).toBe("function");
  });

  it("begin with a letter or an underscore where they must", () => {
    const names = table([tool("3d"), tool("-x"), tool("_y")], { start: "letter" });
    for (const name of ["3d", "-x", "_y"]) expect(names.toWire(name)).toMatch(/^[A-Za-z_]/);
    expect(names.toWire("_y")).toBe("_y");
  });

  it("a name that nobody declared stands for itself", () => {
    expect(table([]).fromWire("made_up")).toEqual({ name: "made_up", call: "function" });
    expect(noNames.toWire("any thing")).toBe("any thing");
  });

  it("are legal, different and reversible for any set of tools", () => {
    const alphabet = ["a", "b", "_", "-", ".", " ", "天", "😀", "__"] as const;
    for (let seed = 0; seed < 500; seed++) {
      const rng = random(seed);
      const tools = rng.list(1, 12, () =>
        tool(
          rng.list(0, 9, () => rng.pick(alphabet)).join(""),
          rng.chance(0.3) ? rng.pick(alphabet) : undefined,
        ),
      );
      const names = table(tools, { maxLength: 12 });
      for (const { name, namespace } of tools.filter((entry) => entry.kind !== "hosted")) {
        const wire = names.toWire(name, namespace);
        expect(wire).toMatch(/^[A-Za-z0-9_-]{1,12}$/);
        expect(names.fromWire(wire)).toEqual({
          name,
          call: "function",
          ...(namespace !== undefined && { namespace }),
        });
      }
    }
  });
});
