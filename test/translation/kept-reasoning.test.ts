import { describe, expect, it } from "vitest";
import type { ReplyEvent } from "../../src/core/events.ts";
import { replay, type Reply } from "../../src/core/reply.ts";
import type { Block, OpaqueState } from "../../src/core/request.ts";
import {
  callsWithoutReasoning,
  readKeptReasoning,
  reasoningGatherer,
  withKeptReasoning,
  writeKeptReasoning,
  type KeptReasoning,
} from "../../src/translation/kept-reasoning.ts";
import { assistant, call, result, turn, user } from "../kit/neutral.ts";

const state = (data: string): OpaqueState => ({
  format: "messages",
  origin: "lab",
  type: "signature",
  data,
});
const thought = (text: string): Reply["blocks"][number] => ({
  kind: "thinking",
  text,
  state: state(text),
});
const called = (id: string, own?: OpaqueState): Reply["blocks"][number] => ({
  kind: "call",
  id,
  name: "f",
  call: "function",
  input: "{}",
  ...(own && { state: own }),
});
const reply = (...blocks: Reply["blocks"]): Reply => ({
  blocks,
  usage: {},
  stop: { reason: "tools" },
});

function gathered(events: readonly ReplyEvent[]): KeptReasoning | undefined {
  const gatherer = reasoningGatherer();
  for (const event of events) gatherer.add(event);
  return gatherer.gathered();
}

/** As it comes out of the workspace. */
function kept(...blocks: Reply["blocks"]): KeptReasoning {
  const found = gathered(replay(reply(...blocks)));
  const read = found && readKeptReasoning(writeKeptReasoning(found));
  if (read === undefined) throw new Error("nothing was kept");
  return read;
}

const restored = (message: ReturnType<typeof assistant>, reasoning: KeptReasoning): Block[] => {
  const messages = [user("q"), message, user(result("a", "r"))];
  return withKeptReasoning(turn({ messages }), [reasoning]).messages[1]?.blocks ?? [];
};

describe("an answer's reasoning", () => {
  it("is kept under its first call, with what each piece belongs to", () => {
    expect(kept(thought("one"), called("a"), thought("two"), called("b", state("own")))).toEqual({
      call: "a",
      parts: [
        { kind: "thinking", text: "one", state: state("one"), redacted: false, before: "a" },
        { kind: "thinking", text: "two", state: state("two"), redacted: false, before: "b" },
        { kind: "call", id: "b", state: state("own") },
      ],
    });
  });

  it.each([
    ["without calls", [thought("one")]],
    ["without state", [{ kind: "thinking", text: "hm" } as const, called("a")]],
    ["without an origin", [called("a", { format: "chat", type: "t", data: "d" })]],
    ["too long to keep", [thought("x".repeat(200_000)), called("a")]],
  ])("is not kept %s", (_title, blocks) => {
    expect(gathered(replay(reply(...blocks)))).toBeUndefined();
  });

  it("goes back to its places, and its text is said once", () => {
    const reasoning = kept(thought("one"), called("a"), thought("two"), called("b", state("own")));
    const plain: Block = { kind: "thinking", text: "onetwo", path: "messages[].reasoning_content" };
    const blocks = restored(assistant(plain, "words", call("a", "f"), call("b", "f")), reasoning);
    expect(blocks).toMatchObject([
      { kind: "thinking", text: "one", state: state("one"), path: "messages[].reasoning_content" },
      { kind: "text", text: "words" },
      { kind: "call", id: "a" },
      { kind: "thinking", text: "two", state: state("two"), path: "" },
      { kind: "call", id: "b", state: state("own") },
    ]);
  });

  it("is neither asked for nor put in where the client brought state itself", () => {
    const message = assistant({ ...call("a", "f"), state: state("brought") });
    expect(callsWithoutReasoning(turn({ messages: [message] }))).toEqual([]);
    expect(restored(message, kept(thought("one"), called("a")))).toEqual(message.blocks);
  });

  it("is asked for by the first call of each message", () => {
    const messages = [
      user("q"),
      assistant(call("a", "f"), call("b", "f")),
      user(result("a", "r"), result("b", "r")),
      assistant("words"),
      assistant(call("c", "f")),
    ];
    expect(callsWithoutReasoning(turn({ messages }))).toEqual(["a", "c"]);
  });

  it.each(["", "[]", "{}", '{"call":1}', '{"call":"a","parts":[{"kind":"call","id":"a"}]}'])(
    "of a damaged text is nothing: %s",
    (text) => {
      expect(readKeptReasoning(text)?.parts ?? []).toEqual([]);
    },
  );
});
