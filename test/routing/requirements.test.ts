import { describe, expect, it } from "vitest";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import {
  assistant,
  call,
  decide,
  four,
  model,
  priced,
  result,
  tierConfig,
  modelRequest,
  user,
} from "./kit.ts";

const asked = modelRequest([user("hi")], {
  output: { type: "schema", schema: { type: "object" } },
});

describe("structured output", () => {
  const lacks = model("lab/small", { ...priced(0.2, 0.8), structured: false });

  it("excludes models whose list says that they have none, with the reason", () => {
    const { candidates, excluded } = decide(asked, { models: [lacks, ...four.slice(1)] });
    expect(candidates).toEqual(["lab/medium"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "no structured output" });
  });

  it("excludes models whose provider supports no schemas", () => {
    const supportOf = ({ id }: { id: string }) => ({
      storedResponses: true,
      schemaOutput: id !== "lab/small",
    });
    expect(decide(asked, { supportOf }).candidates).toEqual(["lab/medium"]);
    expect(decide(modelRequest([user("hi")]), { supportOf }).candidates).toEqual(["lab/small"]);
  });

  it("goes to a tier's own model where no model of any tier supports it", () => {
    const supportOf = () => ({ storedResponses: true, schemaOutput: false });
    expect(decide(asked, { supportOf }).candidates).toEqual(["lab/small"]);
    expect(decide(asked, { supportOf, harness: { id: "h" } }).candidates[0]).toBe("lab/small");
  });

  it("keeps a tool loop on its model, even without support for the schema", () => {
    const supportOf = () => ({ storedResponses: true, schemaOutput: false });
    const messages = [user("hi"), assistant(call("a")), user(result("a"))];
    const decision = decide({ ...asked, messages }, { supportOf });
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

  it("excludes no model of which nothing is known", () => {
    expect(decide(asked, { harness: { id: "h", routing: tierConfig } }).candidates).toEqual([
      "lab/small",
    ]);
  });
});

describe("stored responses", () => {
  const supportOf = ({ id }: { id: string }) => ({
    storedResponses: id.startsWith("other/"),
    schemaOutput: true,
  });
  const references = [{ previousResponseId: "r" }, { responsesOnly: ["prompt"] }];

  it.each(references)("need a provider that stores them: %j", (more) => {
    const { candidates, excluded } = decide(modelRequest([user("hi")], more), { supportOf });
    expect(candidates).toEqual(["other/largest"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "keeps no earlier responses" });
  });
});
