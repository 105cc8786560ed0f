import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/core/request.ts";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import {
  assistant,
  call,
  decide,
  four,
  model,
  modelRequest,
  priced,
  result,
  tierConfig,
  tools,
  user,
} from "./kit.ts";

const schemaRequest = modelRequest([user("hi")], {
  output: { type: "schema", schema: { type: "object" } },
});

describe("structured output", () => {
  const lacks = model("lab/small", { ...priced(0.2, 0.8), structured: false });

  it("excludes models whose list says that they have none, with the reason", () => {
    const { candidates, excluded } = decide(schemaRequest, { models: [lacks, ...four.slice(1)] });
    expect(candidates).toEqual(["lab/medium"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "no structured output" });
  });

  it("excludes models whose provider supports no schemas", () => {
    const supportOf = ({ id }: { id: string }) => ({
      storedResponses: true,
      schemaOutput: id !== "lab/small",
      webSearch: true,
    });
    expect(decide(schemaRequest, { supportOf }).candidates).toEqual(["lab/medium"]);
    expect(decide(modelRequest([user("hi")]), { supportOf }).candidates).toEqual(["lab/small"]);
  });

  it("goes to a tier's own model where no model of any tier supports it", () => {
    const supportOf = () => ({ storedResponses: true, schemaOutput: false, webSearch: true });
    expect(decide(schemaRequest, { supportOf }).candidates).toEqual(["lab/small"]);
    expect(decide(schemaRequest, { supportOf, harness: { id: "h" } }).candidates[0]).toBe(
      "lab/small",
    );
  });

  it("keeps a tool loop on its model, even without support for the schema", () => {
    const supportOf = () => ({ storedResponses: true, schemaOutput: false, webSearch: true });
    const messages = [user("hi"), assistant(call("a")), user(result("a"))];
    const decision = decide({ ...schemaRequest, messages }, { supportOf });
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
    expect(decide(schemaRequest, { harness: { id: "h", routing: tierConfig } }).candidates).toEqual(
      ["lab/small"],
    );
  });
});

describe("a search of the web", () => {
  const search: Tool = {
    kind: "hosted",
    format: "messages",
    type: "web_search_20250305",
    means: "web_search",
    raw: { type: "web_search_20250305", name: "web_search" },
    path: "tools[]",
  };
  const supportOf = ({ id }: { id: string }) => ({
    storedResponses: true,
    schemaOutput: true,
    webSearch: id === "lab/large",
  });

  it("that the client insists on needs a provider that searches", () => {
    const asked = modelRequest([user("hi")], { format: "messages", tools: [search] });
    const { candidates, excluded } = decide(asked, { supportOf });
    expect(candidates).toEqual(["lab/large"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "no web search" });
  });

  it("that is merely offered does not", () => {
    const asked = modelRequest([user("hi")], { format: "responses", tools: [search] });
    const whys = decide(asked, { supportOf }).excluded.map(({ why }) => why);
    expect(whys).not.toContain("no web search");
  });
});

describe("stored responses", () => {
  const supportOf = ({ id }: { id: string }) => ({
    storedResponses: id.startsWith("other/"),
    schemaOutput: true,
    webSearch: true,
  });
  const references = [{ previousResponseId: "r" }, { responsesOnly: ["prompt"] }];

  it.each(references)("need a provider that stores them: %j", (more) => {
    const { candidates, excluded } = decide(modelRequest([user("hi")], more), { supportOf });
    expect(candidates).toEqual(["other/largest"]);
    expect(excluded).toContainEqual({ id: "lab/small", why: "keeps no earlier responses" });
  });
});

describe("requirements", () => {
  const blind = model("lab/blind", {
    inputModalities: ["text"],
    features: ["stream", "tools"],
    contextWindow: 200_000,
  });
  const seeing = model("lab/seeing", {
    inputModalities: ["text", "image"],
    features: ["stream"],
    contextWindow: 8000,
  });
  const unknown = model("lab/unknown");
  const routing = {
    tiers: {
      simple: ["lab/blind", "lab/seeing", "lab/unknown"],
      standard: ["lab/blind", "lab/seeing", "lab/unknown"],
      complex: ["lab/blind", "lab/seeing", "lab/unknown"],
      reasoning: ["lab/blind", "lab/seeing", "lab/unknown"],
    },
  };
  const under = (asked: Parameters<typeof decide>[0]) =>
    decide(asked, { models: [blind, seeing, unknown], harness: { id: "h", routing } });
  const image = {
    kind: "media",
    media: "image",
    source: { type: "url", url: "https://example.com/a.png" },
    path: "",
  } as const;

  it("images leave out models that cannot see, with the reason", () => {
    const decision = under(modelRequest([user("what is this", image)]));
    expect(decision.candidates).toEqual(["lab/seeing", "lab/unknown"]);
    expect(decision.excluded).toContainEqual({ id: "lab/blind", why: "no images" });
  });

  it("tools leave out models without them", () => {
    expect(under(modelRequest([user("go")], { tools: tools(2) })).candidates).toEqual([
      "lab/blind",
      "lab/unknown",
    ]);
  });

  it("a long conversation leaves out small windows", () => {
    const decision = under(modelRequest([user("word ".repeat(20_000))]));
    expect(decision.candidates).toEqual(["lab/blind", "lab/unknown"]);
    expect(decision.excluded.find(({ id }) => id === "lab/seeing")?.why).toMatch(
      /^context \d+ > 8000$/,
    );
  });

  it("where no model of the tier can, another tier's model does", () => {
    const only = { tiers: { ...routing.tiers, simple: ["lab/blind"] } };
    expect(
      decide(modelRequest([user("what is this", image)]), {
        models: [blind, seeing],
        harness: { id: "h", routing: only },
      }).candidates,
    ).toEqual(["lab/seeing"]);
  });

  it("where nothing fits, the most capable model is asked all the same", () => {
    const tiny = model("lab/tiny", { contextWindow: 100 });
    expect(
      decide(modelRequest([user("word ".repeat(2000))]), { models: [tiny], harness: { id: "h" } })
        .candidates,
    ).toEqual(["lab/tiny"]);
  });

  it("without models there are no candidates and no error", () => {
    expect(
      decide(modelRequest([user("hi")]), { models: [], harness: { id: "h" } }).candidates,
    ).toEqual([]);
  });

  it("a chain never has more than six", () => {
    const many = Array.from({ length: 9 }, (_, n) => model(`c${n}/m`));
    expect(
      decide(modelRequest([user("hi")]), { models: many, harness: { id: "h" } }).candidates.length,
    ).toBeLessThanOrEqual(6);
  });
});
