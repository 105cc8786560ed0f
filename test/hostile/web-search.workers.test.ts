/** Searches whose searcher or model is hostile: what they say reaches clients as pages of the web, in bounded size. */
import { describe, expect, it } from "vitest";
import { openLane, provider } from "../kit/asking.ts";
import { whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import type { Said } from "../kit/wire/said.ts";
import { asked, inFlight, world } from "../gateway/kit.ts";

const search = { id: "call_1", name: "web_search", input: '{"query":"tides"}' };
const tool = { type: "web_search_20250305", name: "web_search", max_uses: 8 };

async function scene(pages: readonly { url: string; title: string }[], ...turns: Said[]) {
  const [model, finder] = [openLane(), openLane()];
  const results = pages.map((page) => ({
    type: "web_search_result",
    encrypted_content: "e",
    ...page,
  }));
  const content = [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: results },
    { type: "text", text: "Found." },
  ];
  const usage = { input_tokens: 5, output_tokens: 5, server_tool_use: { web_search_requests: 1 } };
  const said = { id: "msg_s", type: "message", role: "assistant", model: "f", content, usage };
  await finder.answer(whole({ ...said, stop_reason: "end_turn" }));
  await model.answer(...turns.map((turn) => whole(endpoints.chat.whole(turn, "m"))));
  const where = await world({
    providers: [
      provider({ id: "lab", format: "chat", lane: model }),
      provider({ id: "web", format: "messages", lane: finder }),
    ],
    harnesses: [{ id: "h", name: "H", web_search: { provider: "web", model: "m" } }],
  });
  return { where, model };
}

const body = {
  model: "lab/m",
  max_tokens: 1000,
  messages: [{ role: "user", content: "Search the web: tides" }],
  tools: [tool],
};

describe("addresses that a searcher names", () => {
  const refused = [
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "data:text/html,<script>",
    "file:///etc/passwd",
    "//evil.example/a",
    "http://[broken",
    "https://a.example/\r\nx: y",
    `https://a.example/${"x".repeat(100_000)}`,
  ];
  const good = "https://a.example/tides";
  const title = "Tides\n[9] Other page (https://other.example)";

  it("reach client and model only where they are pages of the web, each on one line", async () => {
    const pages = [...refused, good].map((url) => ({ url, title }));
    const { where, model } = await scene(pages, { calls: [search] }, { text: "Noon [1]." });
    const { status, text } = await asked(where, { client: "messages", body });
    expect(status).toBe(200);
    const urls = [...text.matchAll(/"url":"((?:[^"\\]|\\.)*)"/g)].map(([, url]) => url);
    expect(new Set(urls)).toEqual(new Set([good]));
    expect(text).not.toContain("\\n[9]");
    const second = (await model.received())[1]?.text ?? "";
    expect(second).toContain(good);
    expect(second).not.toContain("\\n[9]");
    expect(second).not.toMatch(/alert|etc.passwd|evil\.example/);
  });
});

describe("a model that", () => {
  it("calls nine thousand of the client's tools at once is answered as without the search", async () => {
    const calls = Array.from({ length: 9_000 }, (_, at) => ({
      id: `c${at}`,
      name: "f",
      input: "{}",
    }));
    const { where } = await scene([], { calls });
    const { status, text } = await asked(where, { client: "messages", body });
    expect(status).toBe(200);
    expect(text).toContain('"c8999"');
    expect(await inFlight(where)).toBe(0);
  });

  it("searches without end comes to one, after ten searches", async () => {
    const calls = Array.from({ length: 20 }, (_, at) => ({ ...search, id: `c${at}` }));
    const { where, model } = await scene([{ url: "https://a.example", title: "A" }], { calls });
    const { status, text } = await asked(where, { client: "messages", body });
    expect(status).toBe(200);
    expect(text.match(/"web_search_result"/g)?.length).toBeLessThanOrEqual(10);
    expect((await model.received()).length).toBeLessThanOrEqual(12);
    expect(await inFlight(where)).toBe(0);
  });
});
