import { describe, expect, it } from "vitest";
import type { MediaBlock, OpaqueState, ThinkingBlock } from "../../src/core/request.ts";
import { gemini } from "../../src/formats/gemini/index.ts";
import { body, image, png, refusal, write } from "../kit/gemini-requests.ts";
import { assistant, call, instruction, result, user } from "../kit/neutral.ts";

const state = (data: string, type = "thought_signature", origin = "lab"): OpaqueState => ({
  format: "gemini",
  origin,
  type,
  data,
});
const thinking = (text: string, kept?: OpaqueState): ThinkingBlock => ({
  kind: "thinking",
  text,
  path: "messages[].content[]",
  ...(kept && { state: kept }),
});
const unchecked = "skip_thought_signature_validator";

describe("instructions for Gemini", () => {
  it("puts those at the head into systemInstruction and keeps later ones in their place", () => {
    expect(
      body({
        messages: [
          instruction("one"),
          instruction("two"),
          user("hi"),
          instruction("late"),
          user("go"),
        ],
      }),
    ).toEqual({
      systemInstruction: { parts: [{ text: "one" }, { text: "two" }] },
      contents: [{ role: "user", parts: [{ text: "hi" }, { text: "late" }, { text: "go" }] }],
    });
  });

  it("turns the last instruction into the user's turn when there is no other", () => {
    expect(body({ messages: [instruction("one"), instruction("two")] })).toEqual({
      systemInstruction: { parts: [{ text: "one" }] },
      contents: [{ role: "user", parts: [{ text: "two" }] }],
    });
    expect(body({ messages: [instruction("only")] })).toEqual({
      contents: [{ role: "user", parts: [{ text: "only" }] }],
    });
  });
});

describe("a conversation for Gemini", () => {
  it("groups parallel calls and their results with names and ids, whatever the order they came back in", () => {
    const messages = [
      user("go"),
      assistant("on it", call("c1", "f", { a: "1" }), call("c2", "g")),
      user(result("c2", "two")),
      user(result("c1", '{"one":1}')),
      user("and then"),
    ];
    expect(body({ messages }, { thoughtSignatures: false })["contents"]).toEqual([
      { role: "user", parts: [{ text: "go" }] },
      {
        role: "model",
        parts: [
          { text: "on it" },
          { functionCall: { id: "c1", name: "f", args: { a: "1" } } },
          { functionCall: { id: "c2", name: "g", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "f", response: { one: 1 } } },
          { functionResponse: { id: "c2", name: "g", response: { result: "two" } } },
        ],
      },
      { role: "user", parts: [{ text: "and then" }] },
    ]);
  });

  it("says failed results as errors and keeps lists and long numbers as they were written", () => {
    const failed = { ...result("c1", "no such file"), isError: true };
    const messages = [
      user("go"),
      assistant(call("c1", "f"), call("c2", "f"), call("c3", "f")),
      user(failed, result("c2", "[1, 2]"), result("c3", '{"id": 12345678901234567890}')),
    ];
    const contents = JSON.stringify(body({ messages })["contents"]);
    expect(contents).toContain('"response":{"error":"no such file"}');
    expect(contents).toContain('"response":{"result":"[1, 2]"}');
    expect(contents).toContain(String.raw`"response":{"result":"{\"id\": 12345678901234567890}"}`);
  });

  it("puts pictures inside the result where the model takes them, else behind all results", () => {
    const messages = [
      user("go"),
      assistant(call("c1", "f"), call("c2", "g")),
      user(result("c1", "see", png), result("c2", "x")),
    ];
    const part = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const response = { id: "c1", name: "f", response: { result: "see" } };
    const other = { functionResponse: { id: "c2", name: "g", response: { result: "x" } } };
    const inside = body({ messages })["contents"];
    expect(inside).toMatchObject([
      {},
      {},
      { role: "user", parts: [{ functionResponse: { ...response, parts: [part] } }, other] },
    ]);
    const behind = body({ messages }, { mediaInResults: false })["contents"];
    expect(behind).toEqual([
      expect.anything(),
      expect.anything(),
      { role: "user", parts: [{ functionResponse: response }, other] },
      { role: "user", parts: [{ text: "Attached to the result of f:" }, part] },
    ]);
  });

  it("wraps arguments that are no JSON object", () => {
    const broken = { ...call("c1", "f"), input: '{"a": ' };
    const list = { ...call("c2", "f"), input: "[1]" };
    const empty = { ...call("c3", "f"), input: "" };
    const custom = { ...call("c4", "apply_patch"), call: "custom" as const, input: "*** Begin" };
    const parts = JSON.stringify(
      body({ messages: [user("x"), assistant(broken, list, empty, custom)] })["contents"],
    );
    expect(parts).toContain(String.raw`"args":{"_raw":"{\"a\": "}`);
    expect(parts).toContain('"args":{"value":[1]}');
    expect(parts).toContain('"args":{}');
    expect(parts).toContain('"args":{"input":"*** Begin"}');
  });

  it("begins with the user", () => {
    const contents = body({ messages: [assistant("hello"), user("hi")] })["contents"];
    expect(contents).toMatchObject([
      { role: "user" },
      { role: "model", parts: [{ text: "hello" }] },
      { role: "user" },
    ]);
  });

  it("ends with the user where the model goes on from no words of its own", () => {
    const messages = [user("hi"), assistant("I would say")];
    expect(body({ messages })["contents"]).toMatchObject([{}, { role: "model" }, { role: "user" }]);
    expect(body({ messages }, { mixedTools: false })["contents"]).toMatchObject([
      { role: "user" },
      { role: "model", parts: [{ text: "I would say" }] },
    ]);
  });

  it("sends pictures as bytes or by URL, with the type that the URL tells", () => {
    const url = image({ type: "url", url: "https://a.example/b.jpg?size=1" });
    expect(body({ messages: [user(png, url)] })["contents"]).toEqual([
      {
        role: "user",
        parts: [
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { fileData: { mimeType: "image/jpeg", fileUri: "https://a.example/b.jpg?size=1" } },
        ],
      },
    ]);
  });

  it("refuses what would be lost: file ids, URLs and sound that the model cannot reach", () => {
    const file = image({ type: "file", id: "file-1" });
    const url = image({ type: "url", url: "https://a.example/b.jpg" });
    const sound: MediaBlock = {
      ...png,
      media: "audio",
      source: { type: "bytes", mime: "audio/wav", data: "A" },
    };
    expect(refusal({ messages: [user(file)] })).toContain("messages[].content[]");
    expect(refusal({ messages: [user(url)] }, { imageUrls: false })).toContain(
      "messages[].content[]",
    );
    expect(refusal({ messages: [user(sound)] }, { audio: false })).toContain(
      "messages[].content[]",
    );
  });
});

describe("thought signatures", () => {
  it("go back to the part that they came with when this connection made them", () => {
    const messages = [
      user("q"),
      assistant(
        thinking("why", state("s0", "thought_signature.text")),
        "because",
        { ...call("c1", "f"), state: state("s1") },
        thinking("", state("s2", "thought_signature.empty")),
      ),
      user(result("c1", "r")),
    ];
    expect(body({ messages })["contents"]).toMatchObject([
      {},
      {
        role: "model",
        parts: [
          { text: "why", thought: true },
          { text: "because", thoughtSignature: "s0" },
          { functionCall: { name: "f" }, thoughtSignature: "s1" },
          { text: "", thoughtSignature: "s2" },
        ],
      },
      {},
    ]);
  });

  it("of a call may come back in an empty thinking block before it", () => {
    const messages = [
      user("q"),
      assistant(thinking("", state("s1")), call("c1", "f"), call("c2", "f")),
      user(result("c1", "r"), result("c2", "r")),
    ];
    const { contents } = body({ messages });
    expect(contents).toMatchObject([
      {},
      { parts: [{ thoughtSignature: "s1" }, { functionCall: { id: "c2" } }] },
      {},
    ]);
    expect(JSON.stringify(contents)).not.toContain(unchecked);
  });

  it("of another connection, another dialect or the client's own never leave; the first call of each step says so", () => {
    const native: OpaqueState = { format: "messages", type: "signature", data: "native-secret" };
    const messages = [
      user("q"),
      assistant(
        thinking("hm", native),
        thinking("", state("foreign-secret", "thought_signature", "other")),
        call("c1", "f"),
        call("c2", "f"),
      ),
      user(result("c1", "r"), result("c2", "r")),
      assistant({ ...call("c3", "f"), state: state("x", "encrypted_content", "lab-2") }),
      user(result("c3", "r")),
    ];
    const written = write({ format: "messages", messages });
    const text = JSON.stringify(written.body);
    expect(text).not.toContain("secret");
    expect(text.split(unchecked)).toHaveLength(3);
    expect(written.body["contents"]).toMatchObject([
      {},
      {
        parts: [
          { text: "hm", thought: true },
          { functionCall: { id: "c1" }, thoughtSignature: unchecked },
          { functionCall: { id: "c2" } },
        ],
      },
      {},
      { parts: [{ functionCall: { id: "c3" }, thoughtSignature: unchecked }] },
      {},
    ]);
    expect(written.dropped).toContain("messages[].content[].signature");
  });

  it("are not made up for models that check none", () => {
    const messages = [user("q"), assistant(call("c1", "f")), user(result("c1", "r"))];
    expect(JSON.stringify(body({ messages }, { thoughtSignatures: false }))).not.toContain(
      "thoughtSignature",
    );
  });
});

describe("scrub", () => {
  it("takes tagged signatures out of a Gemini body and leaves Gemini's own", () => {
    const own = { text: "a", thoughtSignature: "CiQ=" };
    const request = { contents: [{ parts: [{ text: "b", thoughtSignature: "gw1.eyJ9" }, own] }] };
    expect(gemini.provider.scrub(request, "lab")).toEqual(["contents[].parts[].thoughtSignature"]);
    expect(request.contents[0]?.parts).toEqual([{ text: "b" }, own]);
  });
});
