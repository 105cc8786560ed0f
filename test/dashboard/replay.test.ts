/** Which logged requests the playground can send again, and what of them stays. */
import { describe, expect, it } from "vitest";
import { holderNames } from "../../src/dashboard/shared/page-context.ts";
import { readBody, replayOf } from "../../src/dashboard/pages/playground/replay.ts";
import { bodies } from "./replay-bodies.ts";

const words = holderNames("harness");
const logged = (request: string) => ({ request, answer: "" });

describe("a logged request", () => {
  it("is replayed with its messages and parameters, for the model and the form that are asked for", () => {
    for (const [format, body] of bodies) {
      const replay = replayOf({ format, text: logged(JSON.stringify(body)) }, words);
      if (!replay.ok) throw new Error(replay.why);
      const read = readBody(replay.format, replay.body, { model: "lab/other", stream: true });
      expect(read).toMatchObject({ model: "lab/other", stream: true });
      expect(read.sampling.temperature).toBe(0.25);
      expect(JSON.stringify(read.messages)).toContain("Again, please.");
    }
  });

  it("is not, with the reason, where its text is missing or cut, or where it is no chat", () => {
    const why = (replay: ReturnType<typeof replayOf>) => (replay.ok ? "" : replay.why);
    expect(why(replayOf({ format: "chat" }, words))).toContain("was not logged");
    expect(why(replayOf({ format: "chat", text: logged('{"messages":[{') }, words))).toContain(
      "only its beginning",
    );
    expect(why(replayOf({ format: "embeddings", text: logged("{}") }, words))).toContain("chats");
  });
});
