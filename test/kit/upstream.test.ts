import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLane } from "./lane.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { endpoints } from "./wire/index.ts";
import type { WireFormat } from "./wire/said.ts";

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
});

afterAll(() => upstream.close());

describe("the scripted provider", () => {
  it("answers in turn, the last answer stays, and everything is recorded", async () => {
    const lane = openLane(upstream.url);
    await lane.answer(
      { body: "one" },
      { status: 503, body: "two", headers: { "retry-after": "1" } },
    );
    const texts: string[] = [];
    for (const text of ["a", "b", "c"]) {
      const answer = await fetch(`${lane.url}/v1/x?y=1`, { method: "POST", body: text });
      texts.push(`${answer.status} ${await answer.text()}`);
    }
    expect(texts).toEqual(["200 one", "503 two", "503 two"]);
    expect((await lane.received()).map(({ path, text }) => path + text)).toEqual([
      "/v1/x?y=1a",
      "/v1/x?y=1b",
      "/v1/x?y=1c",
    ]);
  });

  it("cuts, resets and stays mute where it is told to", async () => {
    const lane = openLane(upstream.url);
    await lane.answer(
      { body: "abcdef", chop: 1, limit: 3, end: "reset" },
      { body: "abc", end: "cut" },
      { mute: true, end: "reset" },
    );
    const got: string[] = [];
    for (let round = 0; round < 3; round++) {
      try {
        const answer = await fetch(lane.url);
        got.push("headers");
        for await (const part of answer.body ?? []) got.push(Buffer.from(part).toString());
      } catch {
        got.push("broken");
      }
    }
    expect(got.join(" ").replaceAll(/(?<=\b\w) (?=\w\b)/g, "")).toBe(
      "headers abc broken headers abc broken broken",
    );
  });

  it("refuses connections and takes them again", async () => {
    const own = await startUpstream();
    await own.refuse();
    await expect(fetch(own.url)).rejects.toThrow();
    await own.accept();
    expect((await fetch(own.url)).status).toBe(500);
    await own.close();
  });

  it("sees its client leave", async () => {
    const lane = openLane(upstream.url);
    await lane.answer({ body: "x", end: "hang" });
    const leave = new AbortController();
    await fetch(lane.url, { signal: leave.signal });
    leave.abort();
    expect((await lane.left(0, 5000)).finished).toBe(false);
  });

  it.each(Object.keys(endpoints) as WireFormat[])(
    "says the same whole and streamed in %s",
    (format) => {
      const said = { text: "Grüße 🎉", calls: [{ id: "c1", name: "f", input: '{"a":"b"}' }] };
      const whole = JSON.stringify(endpoints[format].whole(said, "m"));
      const events = endpoints[format].events(said, "m").join("");
      expect(whole).toContain("Grüße 🎉");
      expect(events).toContain("Grüße 🎉");
      expect(events.match(/"name":"f"/)).not.toBeNull();
    },
  );
});
