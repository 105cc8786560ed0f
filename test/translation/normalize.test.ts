import { describe, expect, it } from "vitest";
import { normalize, missingResult } from "../../src/translation/normalize.ts";
import type { Block, Message } from "../../src/core/request.ts";
import { assistant, call, instruction, result, user } from "../kit/neutral.ts";
import { random } from "../kit/random.ts";

/** The conversation in short: `user: text, =id(text)`; calls are `id()`. */
function short(messages: readonly Message[]): string[] {
  return messages.map((message) => `${message.role}: ${message.blocks.map(shortBlock).join(", ")}`);
}

function shortBlock(block: Block): string {
  if (block.kind === "call") return `${block.id}()`;
  if (block.kind === "result") return `=${block.id}(${block.blocks.map(shortBlock).join("+")})`;
  return "text" in block && block.text !== undefined ? block.text : block.kind;
}

const mended = (...messages: Message[]): string[] => short(normalize(messages));

describe("the repaired history", () => {
  it("leaves a sound conversation as it is", () => {
    const sound = [
      instruction("be good"),
      user("hi"),
      assistant("let me see", call("a", "f"), call("b", "g")),
      user(result("a", "1"), result("b", "2"), "go on"),
      assistant("done"),
    ];
    expect(normalize(sound)).toEqual(sound);
  });

  it("merges neighbours of one speaker, but not of two names", () => {
    expect(mended(user("a"), user("b"), assistant("c"), assistant("d"))).toEqual([
      "user: a, b",
      "assistant: c, d",
    ]);
    const [ann, bob] = [
      { ...user("a"), name: "ann" },
      { ...user("b"), name: "bob" },
    ];
    expect(mended(ann, bob)).toEqual(["user: a", "user: b"]);
  });

  it("puts results first, in the order of the calls", () => {
    expect(
      mended(
        assistant(call("a", "f"), call("b", "g")),
        user("hi", result("b", "2")),
        user(result("a", "1")),
      ),
    ).toEqual(["assistant: a(), b()", "user: =a(1), =b(2), hi"]);
  });

  it("brings a late result back to its call", () => {
    expect(
      mended(assistant(call("a", "f")), user("hi"), assistant("hello"), user(result("a", "1"))),
    ).toEqual(["assistant: a()", "user: =a(1), hi", "assistant: hello"]);
  });

  it("takes what the model said between a call and its result into the calling turn", () => {
    expect(mended(assistant(call("a", "f")), assistant("working"), user(result("a", "1")))).toEqual(
      ["assistant: a(), working", "user: =a(1)"],
    );
    expect(
      mended(
        assistant(call("a", "f"), call("b", "g")),
        user(result("a", "1")),
        assistant("x"),
        user(result("b", "2")),
      ),
    ).toEqual(["assistant: a(), b(), x", "user: =a(1), =b(2)"]);
  });

  it("keeps instructions in their place, but never between a call and its results", () => {
    expect(
      mended(
        user("q"),
        instruction("mid"),
        assistant(call("a", "f")),
        instruction("late"),
        user(result("a", "1")),
      ),
    ).toEqual([
      "user: q",
      "instruction: mid",
      "assistant: a()",
      "user: =a(1)",
      "instruction: late",
    ]);
  });

  it("answers calls that nobody answered, at the end too", () => {
    expect(mended(assistant(call("a", "f")), user("hi"), assistant(call("b", "g")))).toEqual([
      "assistant: a()",
      `user: =a(${missingResult}), hi`,
      "assistant: b()",
      `user: =b(${missingResult})`,
    ]);
  });

  it("turns results without a call into the user's words, contents and all", () => {
    const [message] = normalize([user(result("x", "lost words"), "hi")]);
    expect(message?.blocks.map((block) => block.kind)).toEqual(["text", "text", "text"]);
    expect(JSON.stringify(message)).toContain("lost words");
    expect(mended(user(result("a", "early")), assistant(call("a", "f")))[2]).toBe(
      `user: =a(${missingResult})`,
    );
  });

  it("tells the calls of a server that counts from zero in every turn apart", () => {
    const [first, one, second, two] = normalize([
      assistant(call("call_0", "f")),
      user(result("call_0", "1")),
      assistant(call("call_0", "g")),
      user(result("call_0", "2")),
    ]);
    const ids = [first, second]
      .map((message) => message?.blocks[0])
      .map((block) => block?.kind === "call" && block.id);
    expect(new Set(ids).size).toBe(2);
    expect(short([one, two].filter((message) => message !== undefined))).toEqual([
      `user: =${ids[0]}(1)`,
      `user: =${ids[1]}(2)`,
    ]);
  });

  it("gives calls with one id in one turn their results in order", () => {
    const [calls, results] = normalize([
      assistant(call("", "f"), call("", "g")),
      user(result("", "1"), result("", "2")),
    ]);
    const ids = calls?.blocks.map((block) => (block.kind === "call" ? block.id : ""));
    expect(results?.blocks.map(shortBlock)).toEqual([`=${ids?.[0]}(1)`, `=${ids?.[1]}(2)`]);
  });

  it("makes ids that providers refuse legal and short", () => {
    const ids = ["functions.f:0", "x".repeat(90), "ok-1"];
    const [message] = normalize([assistant(...ids.map((id) => call(id, "f")))], 40);
    const made = message?.blocks.map((block) => (block.kind === "call" ? block.id : ""));
    expect(made?.[2]).toBe("ok-1");
    for (const id of made ?? []) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
  });

  it("drops what says nothing", () => {
    const hollow: Block = { kind: "thinking", text: "", path: "p" };
    expect(
      mended(
        user(""),
        assistant("", hollow),
        user("a", "  "),
        assistant("\n\n"),
        user(result("x")),
      ),
    ).toEqual(["user: a, Result of a tool call that is not in this conversation (x):"]);
    expect(mended(user(" "))).toEqual(["user:  "]);
  });

  it("drops a client's billing line, which means nothing to other providers", () => {
    const line = "x-anthropic-billing-header: cc_version=1; cc_entrypoint=cli;";
    expect(
      mended(instruction(line, "be good"), instruction(`${line}\nbe brief`), user(line)),
    ).toEqual(["instruction: be good", "instruction: be brief", `user: ${line}`]);
  });

  it("does not change what it was given", () => {
    const given = [
      assistant(call("", "f"), call("", "f")),
      instruction("x"),
      user(result("", "1", "")),
      user(""),
    ];
    const before = structuredClone(given);
    normalize(given);
    expect(given).toEqual(before);
  });

  it("is sound and loses no words, whatever the conversation was", () => {
    for (let seed = 0; seed < 3000; seed++) {
      const messages = anyHistory(seed);
      const out = normalize(messages);
      expectSound(out);
      const words = (list: readonly Message[]) =>
        JSON.stringify(list)
          .match(/"w\d+"/g)
          ?.toSorted() ?? [];
      expect(words(out)).toEqual(words(messages));
    }
  });

  it("takes a history of very many scraps in its stride", () => {
    const scraps = Array.from({ length: 50_000 }, (_, at) =>
      at % 2 === 0 ? user("u") : user("v"),
    );
    const answers = scraps.map((_, at) => assistant(call(`${at}`, "f")));
    const results = scraps.map((_, at) => user(result(`${at}`, "r")));
    expect(
      normalize([...scraps, ...answers, ...results]).map(({ blocks }) => blocks.length),
    ).toEqual([50_000, 50_000, 50_000]);
  });

  it("is the same when repaired again", () => {
    for (let seed = 0; seed < 1000; seed++) {
      const once = normalize(anyHistory(seed));
      expect(normalize(once)).toEqual(once);
    }
  });
});

function anyHistory(seed: number): Message[] {
  const rng = random(seed);
  let words = 0;
  const word = (): string => `w${words++}`;
  const id = (): string => rng.pick(["a", "b", "c", "", "x:1"]);
  return rng.list(1, 10, () => {
    const role = rng.pick(["user", "user", "assistant", "assistant", "instruction"]);
    if (role === "instruction") return instruction(word());
    if (role === "user")
      return user(...rng.list(0, 3, () => (rng.chance(0.6) ? result(id(), word()) : word())));
    return assistant(...rng.list(0, 3, () => (rng.chance(0.6) ? call(id(), word()) : word())));
  });
}

function expectSound(messages: readonly Message[]): void {
  const ids = new Set<string>();
  messages.forEach((message, at) => {
    expect(message.blocks.length).toBeGreaterThan(0);
    const calls = message.blocks.filter((block) => block.kind === "call").map((block) => block.id);
    for (const id of calls) {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
    }
    if (message.role === "assistant") expect(messages[at + 1]?.role).not.toBe("assistant");
    const next = messages[at + 1];
    const answered =
      next?.blocks.filter((block) => block.kind === "result").map((block) => block.id) ?? [];
    if (calls.length > 0) expect(answered).toEqual(calls);
    if (message.role === "user") {
      const results = message.blocks.findLastIndex((block) => block.kind === "result");
      expect(message.blocks.slice(0, results + 1).every((block) => block.kind === "result")).toBe(
        true,
      );
      if (results >= 0) expect(messages[at - 1]?.role).toBe("assistant");
    }
  });
}
