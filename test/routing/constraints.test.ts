import { describe, expect, it } from "vitest";
import { chooseModel } from "../../src/routing/session.ts";
import {
  assistant,
  call,
  decide,
  four,
  model,
  priced,
  result,
  tierConfig,
  turn,
  user,
} from "./kit.ts";

const asked = turn([user("hi")], { output: { type: "schema", schema: { type: "object" } } });

describe("structured output", () => {
  const lacks = model("lab/small", { ...priced(0.2, 0.8), structured: false });

  it("leaves out models whose list says that they have none, with the reason", () => {
    const { candidates, excluded } = decide(asked, { models: [lacks, ...four.slice(1)] });
    expect(candidates).toEqual(["lab/middle"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "no structured output" });
  });

  it("leaves out models whose provider's dialect has no words for a schema", () => {
    const speech = ({ id }: { id: string }) => ({ refers: true, schemas: id !== "lab/small" });
    expect(decide(asked, { speech }).candidates).toEqual(["lab/middle"]);
    expect(decide(turn([user("hi")]), { speech }).candidates).toEqual(["lab/small"]);
  });

  it("is described to a tier's own model where no model of any tier is held to it", () => {
    const speech = () => ({ refers: true, schemas: false });
    expect(decide(asked, { speech }).candidates).toEqual(["lab/small"]);
    expect(decide(asked, { speech, harness: { id: "h" } }).candidates[0]).toBe("lab/small");
  });

  it("keeps a tool loop where it began, though its model is held to no schema", () => {
    const speech = () => ({ refers: true, schemas: false });
    const messages = [user("hi"), assistant(call("a")), user(result("a"))];
    const decision = decide({ ...asked, messages }, { speech });
    const session = {
      model: "lab/large",
      tier: "complex",
      lastUsed: 0,
      cachedTokens: 0,
      inputTokens: 10,
      turns: 1,
    };
    const { verdict, candidates } = chooseModel({ decision, session, now: 1, models: four });
    expect([verdict, candidates[0]?.id]).toEqual(["stay", "lab/large"]);
  });

  it("is no obstacle where nobody knows", () => {
    expect(decide(asked, { harness: { id: "h", routing: tierConfig } }).candidates).toEqual([
      "lab/small",
    ]);
  });
});

describe("what a provider keeps", () => {
  const speech = ({ id }: { id: string }) => ({ refers: id.startsWith("other/"), schemas: true });
  const refers = [{ previousResponseId: "r" }, { responsesOnly: ["prompt"] }];

  it.each(refers)("is asked of a provider that can keep something: %j", (more) => {
    const { candidates, excluded } = decide(turn([user("hi")], more), { speech });
    expect(candidates).toEqual(["other/largest"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "keeps no earlier responses" });
  });
});
