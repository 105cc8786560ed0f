/** What failing work, the names of `auto` and listed tiers lead to, from outside. */
import { describe, expect, it } from "vitest";
import { openLane, provider, replyScript, type Answer, type Json } from "../kit/asking.ts";
import { asked, knock, rowOf, world } from "./kit.ts";

const costs = [
  { id: "weak", cost: { input: 1, output: 5 } },
  { id: "strong", cost: { input: 5, output: 25 } },
];

async function agents(routing: Json = {}, harness: Json = {}) {
  const lane = openLane();
  const usage = { input: 100_000, cached: 0, output: 100 };
  await lane.answer(replyScript("chat", { text: "GOOD", usage }, { stream: false }));
  const lab = provider({ id: "lab", format: "chat", lane, models: costs });
  const tiers = {
    simple: ["lab/weak"],
    standard: ["lab/weak"],
    complex: ["lab/strong"],
    reasoning: ["lab/strong"],
  };
  const harnesses = [{ id: "h", name: "H", routing: { tiers, ...routing }, ...harness }];
  return { where: await world({ providers: [lab], harnesses }), lane };
}

const tools = ["bash", "edit"].map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object" } },
}));
const task = { role: "user", content: "Make the parser handle nested comments." };
const failedStep = (id: string): Json[] => [
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id, type: "function", function: { name: "edit", arguments: `{"old":"${id}"}` } },
    ],
  },
  { role: "tool", tool_call_id: id, content: "Error: oldString not found in content" },
];
const talk = (messages: Json[], model = "auto") => ({
  client: "chat" as const,
  headers: { "user-agent": "opencode/1.0", "x-session-id": "s1" },
  body: { model, tools, messages },
});
const failing = (count: number): Json[] => [
  task,
  ...Array.from({ length: count }, (_, at) => failedStep(`c${at}`)).flat(),
];

const modelOf = (answer: Answer) => answer.headers.get("x-gateway-model");

describe("an agent whose edits keep failing", () => {
  it("gets the next stronger model within the tool loop, and the log says why", async () => {
    const { where } = await agents();
    for (const count of [0, 1])
      expect(modelOf(await asked(where, talk(failing(count))))).toBe("lab/weak");
    const raised = await asked(where, talk(failing(2)));
    expect(modelOf(raised)).toBe("lab/strong");
    expect(raised.headers.get("x-gateway-reason")).toContain("session=raise(same failure 2 times)");
    const row = await rowOf(where, raised.headers.get("x-gateway-request-id"));
    expect(row["escalation"]).toEqual({
      from: "lab/weak",
      to: "lab/strong",
      reason: "The same failure came twice.",
    });
    expect(row["why"]).toContain("Went up to a stronger model: the same failure came twice.");
    expect(modelOf(await asked(where, talk(failing(3))))).toBe("lab/strong");
  });

  it("gets it when the human says that it still fails, in a new ask", async () => {
    const { where } = await agents();
    const done = [task, ...failedStep("c0"), { role: "assistant", content: "Done." }];
    expect(modelOf(await asked(where, talk([task])))).toBe("lab/weak");
    const complaint = { role: "user", content: "Es funktioniert immer noch nicht." };
    expect(modelOf(await asked(where, talk([...done, complaint])))).toBe("lab/strong");
  });

  it("gets it after two empty answers", async () => {
    const { where, lane } = await agents();
    await lane.answer(replyScript("chat", { text: "" }, { stream: false }));
    expect(modelOf(await asked(where, talk([task])))).toBe("lab/weak");
    expect(modelOf(await asked(where, talk([task])))).toBe("lab/weak");
    expect(modelOf(await asked(where, talk([task])))).toBe("lab/strong");
  });
});

describe("auto by names that say what the client prefers", () => {
  it.each([
    ["auto", "lab/weak"],
    ["auto:eco", "lab/weak"],
    ["claude-auto-eco", "lab/weak"],
    ["auto:quality", "lab/strong"],
    ["claude-auto-quality", "lab/strong"],
  ])("%s", async (name, model) => {
    const { where } = await agents();
    expect(modelOf(await asked(where, talk([task], name)))).toBe(model);
  });

  it("are no names of models", async () => {
    const { where } = await agents();
    for (const name of ["auto:cheap", "auto:$", "auto:$0", "auto:$-1", "auto:$x"]) {
      const answer = await asked(where, talk([task], name));
      expect([name, modelOf(answer)]).toEqual([name, null]);
    }
  });

  it("auto:$0.65 saves from 80% of that on, and ends the conversation there", async () => {
    const { where } = await agents({ quality: "quality" }, { errors: "status" });
    const again = { role: "user", content: "Now do the same for the lexer, step by step." };
    const ask = (messages: Json[]) => asked(where, talk(messages, "auto:$0.65"));
    // 100k tokens at $5, and 100 at $25.
    expect(modelOf(await ask([task]))).toBe("lab/strong");
    const more = [task, { role: "assistant", content: "Done." }, again];
    expect((await ask(more)).headers.get("x-gateway-reason")).not.toContain("budget=");
    const saving = await ask([task]);
    expect(saving.headers.get("x-gateway-reason")).toContain("budget=$0.603 of $0.65");
    expect(modelOf(saving)).toBe("lab/weak");
    const spent = await ask(more);
    expect(spent.status).toBe(429);
    expect(spent.error).toMatchObject({ code: "limit_exceeded", node: "session" });
    expect(spent.error["message"]).toContain("of $0.65");
    const row = await rowOf(where, spent.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ outcome: "blocked", blocked_by: "session" });
  });
});

describe("tiers that a harness lists", () => {
  const picture = {
    role: "user",
    content: [
      { type: "text", text: "What is on it?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ],
  };
  const blind = { input_modalities: ["text"], output_modalities: ["text"], features: ["stream"] };
  const seeing = { ...blind, input_modalities: ["text", "image"] };

  async function twoLabs(routing: Json) {
    const lane = openLane();
    await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
    const lab = (id: string, capabilities: Json): Json =>
      provider({ id, format: "chat", lane, models: [{ id: "m", capabilities }] });
    const tiers = { simple: ["a/m"], standard: ["a/m"], complex: ["a/m"], reasoning: ["a/m"] };
    const harnesses = [{ id: "h", name: "H", errors: "status", routing: { tiers, ...routing } }];
    return await world({ providers: [lab("a", blind), lab("b", seeing)], harnesses });
  }
  const look = { client: "chat" as const, body: { model: "auto", messages: [picture] } };

  it("are not left for another connection: the refusal says why", async () => {
    const answer = await asked(await twoLabs({}), look);
    expect(answer.status).toBe(404);
    expect(modelOf(answer)).toBeNull();
    expect(answer.text).toMatch(/M302.*a\/m: no images.*beyond_tiers/);
  });

  it("are left where the harness says so", async () => {
    expect(modelOf(await asked(await twoLabs({ beyond_tiers: true }), look))).toBe("b/m");
  });
});

describe("the names of auto that say what the client prefers", () => {
  const listed = async (headers: Record<string, string>): Promise<unknown[]> => {
    const { where } = await agents();
    const answer = await knock("/v1/models", {
      headers: { authorization: `Bearer ${where.key}`, ...headers },
    });
    const { data } = (await answer.json()) as { data: Json[] };
    return data.map(({ id }) => id);
  };

  it("are listed for clients of Anthropic's API only", async () => {
    const names = ["auto:eco", "auto:quality", "claude-auto-eco", "claude-auto-quality"];
    const shown = await listed({ "anthropic-version": "2023-06-01" });
    expect(shown).toEqual(expect.arrayContaining(names));
    expect(shown.at(-1)).toBe("claude-auto");
    expect(await listed({})).toEqual(["auto", "lab/weak", "lab/strong"]);
  });
});
