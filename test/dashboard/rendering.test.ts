import { describe, expect, it } from "vitest";
import type { RequestView } from "../../src/admin/routes/requests/request-view.ts";
import { RequestDetail } from "../../src/dashboard/pages/requests/request-detail.tsx";
import {
  BlockingLimit,
  RequestRow,
  type RequestViewer,
} from "../../src/dashboard/components/request-table.tsx";
import { responseText } from "../../src/dashboard/pages/playground/playground-request.ts";
import { holderNames } from "../../src/dashboard/shared/page-context.ts";
import { clientSnippets } from "../../src/dashboard/pages/connect/snippets.ts";

const owner: RequestViewer = { allows: () => true, words: holderNames("harness") };

const evil = `"><img src=x onerror=alert(1)></script>'`;

const record: RequestView = {
  id: `req_${evil}`,
  time: "2026-01-01T00:00:00.000Z",
  harness: evil,
  key: evil,
  key_id: evil,
  session: evil,
  agent: evil,
  role: evil,
  tags: { [evil]: evil },
  format: "chat",
  requested_model: evil,
  tier: evil,
  reason: evil,
  confidence: 0.5,
  attempts: [
    { model: evil, status: 500, ms: 12, outcome: "failed", error: evil },
    { model: `lab/${evil}`, status: 200, ms: 30, outcome: "ok" },
  ],
  model: `lab/${evil}`,
  provider: "lab",
  status: 200,
  outcome: "fallback",
  stream: true,
  usage: {
    input_tokens: 10,
    cached_tokens: 5,
    cache_write_tokens: 0,
    output_tokens: 3,
    reasoning_tokens: 0,
    estimated: true,
  },
  cost: null,
  dropped: [evil],
  first_byte_ms: 20,
  total_ms: 42,
  error: evil,
  why: evil,
  routing: {
    tier: "simple",
    reason: evil,
    confidence: 0.5,
    score: 1,
    bias: { tiers: [0, 0, 0, 0], gain: 0 },
    costs: [{ id: evil, stay: 1, switch: 2 }],
    session: evil,
    p: [0.7, 0.1, 0.1, 0.1],
    signals: { [evil]: evil },
    candidates: [evil],
    contributions: [{ name: evil, bin: evil, tiers: [1, 0, 0, 0], gain: 0 }],
    excluded: [{ id: evil, why: evil }],
  },
  text: { request: evil, answer: evil },
};

describe("one request on a page", () => {
  it("whatever its parts say stays text", () => {
    const html = [
      String(RequestRow({ request: record, timezone: "UTC", viewer: owner })),
      String(RequestDetail({ request: record, timezone: "UTC", viewer: owner })),
    ].join("");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toMatch(/<img|<script|<\/script/);
  });

  it("an explanation of an older version, or none, breaks nothing", () => {
    for (const routing of [undefined, null, "text", [], { p: "no" }, { contributions: [{}] }]) {
      // Nothing that the type allows.
      const request = { ...record, routing, usage: null, attempts: [] } as unknown as RequestView;
      const html = String(
        RequestDetail({
          request,
          timezone: "UTC",
          viewer: { ...owner, words: holderNames("agent") },
        }),
      );
      expect(html).toContain("No provider was called.");
      expect(html).toContain("<dt>Agent</dt>");
    }
  });

  it("whose limit refused it is a link to that limit, for those who may see it", () => {
    const pages = {
      workspace: "/dashboard/settings#limits",
      harness: "/dashboard/harnesses/team/limits",
      key: "/dashboard/harnesses/team/keys/key_1",
      person: "/dashboard/members/per_1",
    } as const;
    for (const node of ["workspace", "harness", "key", "person"] as const) {
      const request: RequestView = {
        ...record,
        harness: "team",
        key_id: "key_1",
        person: "per_1",
        blocked_by: node,
      };
      const limit = (viewer: RequestViewer) => String(BlockingLimit({ request, viewer }));
      expect(limit(owner)).toBe(`<a href="${pages[node]}">${node} limit</a>`);
      expect(limit({ ...owner, allows: () => false })).toBe(`${node} limit`);
      // A row is one link, to the request.
      const row = String(RequestRow({ request, timezone: "UTC", viewer: owner }));
      expect(row).toContain(`${node} limit`);
      expect(row).not.toContain(pages[node]);
    }
  });

  it("a row begins to say what went wrong, once, and names a limit instead", () => {
    const row = (more: Partial<RequestView>, wanted?: string) => {
      const request = { ...record, attempts: [], ...more };
      const found = wanted === undefined ? {} : { wanted };
      return String(RequestRow({ request, timezone: "UTC", viewer: owner, ...found }));
    };
    const failed = { outcome: "failed", error: `quota is used up${"!".repeat(200)}` } as const;
    expect(row(failed)).toContain(`>quota is used up${"!".repeat(84)}…<`);
    expect(row({ ...failed, error: "first\nsecond" })).toContain(">first…<");
    expect(row(failed, "USED").match(/quota is/g)).toHaveLength(1);
    expect(row({ ...failed, outcome: "blocked" })).not.toContain("quota");
    expect(row({ outcome: "ok", error: null })).not.toContain("…<");
  });

  it("counts tokens of one request to the last one, and shows no empty response", () => {
    const usage = {
      input_tokens: 270_046,
      cached_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: 51,
      reasoning_tokens: 0,
      estimated: false,
    };
    const request = { ...record, usage, text: { request: "{}", answer: "" } };
    const html = String(RequestDetail({ request, timezone: "UTC", viewer: owner }));
    expect(html).toContain(">270,046<");
    expect(html).toContain("No text was returned.");
    expect(html).not.toContain(">Response</summary>");
  });

  it("a row shows two tags and how many more there are", () => {
    const request = { ...record, tags: { a: "1", b: "2", c: "3", d: "4" } };
    const row = String(RequestRow({ request, timezone: "UTC", viewer: owner }));
    expect(row).toContain("b=2");
    expect(row).toMatch(/title="c=3, d=4"[^>]*>\+2</);
    expect(String(RequestDetail({ request, timezone: "UTC", viewer: owner }))).toContain("d=4</a>");
  });

  it("says what a request was for, in words", () => {
    const shown = (more: Partial<RequestView>) => {
      const request = { ...record, ...more };
      const row = String(RequestRow({ request, timezone: "UTC", viewer: owner }));
      const detail = String(RequestDetail({ request, timezone: "UTC", viewer: owner }));
      return { row, detail };
    };
    const operation = shown({ format: "image_edits", role: "main", routing: {} });
    expect(operation.row).toContain(">Image edits<");
    expect(operation.detail).toContain("<dd>Image edits, streamed</dd>");
    expect(operation.detail, "no header of its response").not.toContain("X-Gateway-Role");
    const delegated = shown({
      role: "subagent",
      routing: { role: "subagent" },
      parent_agent: "agent-1",
      prompt: "prompt-7",
    });
    expect(delegated.row).toContain(">subagent<");
    expect(delegated.detail).toContain("<dt>Delegated by</dt><dd>agent-1</dd>");
    expect(delegated.detail).toContain("<dt>Prompt</dt><dd>prompt-7</dd>");
    expect(delegated.detail).toContain("X-Gateway-Role: subagent");
    expect(shown({ role: "main" }).row, "the usual one is not named").not.toContain(">main<");
  });

  it("calls beside the answer are told apart from attempts at it", () => {
    const [failed, answered] = record.attempts;
    if (failed === undefined || answered === undefined) throw new Error("no attempts");
    const judge = {
      model: "court/judge",
      status: 200,
      ms: 9,
      outcome: "neutral",
      side: true,
    } as const;
    const shown = (attempts: RequestView["attempts"]) => {
      const request = { ...record, attempts };
      const row = String(RequestRow({ request, timezone: "UTC", viewer: owner }));
      return row + String(RequestDetail({ request, timezone: "UTC", viewer: owner }));
    };
    expect(shown([failed, answered, judge])).toContain("2 attempts");
    expect(shown([answered, judge])).not.toContain("attempts<");
    expect(shown([answered, judge])).toContain(">extra call<");
    expect(shown([failed, answered])).not.toContain("extra call");
  });

  it("no header is shown that the response of an unrouted request did not have", () => {
    const request = { ...record, tier: null, model: null };
    expect(String(RequestDetail({ request, timezone: "UTC", viewer: owner }))).not.toContain(
      "X-Gateway-Provider",
    );
  });

  it("needs no inline style, which the content policy forbids", () => {
    expect(
      String(RequestDetail({ request: record, timezone: "UTC", viewer: owner })),
    ).not.toContain("style=");
  });
});

describe("snippets to paste", () => {
  const claudeCode = { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "200000" };
  const all = clientSnippets({ origin: "https://gateway.test", key: "gw_test", claudeCode });

  it("Claude Code's names the context window", () => {
    const text = all.find(({ id }) => id === "claude-code")?.steps[0]?.text;
    expect(text).toContain("export CLAUDE_CODE_MAX_CONTEXT_TOKENS=200000\nclaude");
  });

  it("variables are set in the words of each shell", () => {
    const steps = all.find(({ id }) => id === "gemini-cli")?.steps ?? [];
    const textFor = (shell: string): string | undefined =>
      steps.find(({ shells }) => shells?.some((one) => one === shell))?.text;
    expect(textFor("sh")).toContain("export GEMINI_API_KEY=gw_test\n");
    expect(textFor("fish")).toContain("set -gx GEMINI_API_KEY gw_test\n");
    expect(textFor("powershell")).toContain('$env:GEMINI_API_KEY = "gw_test"\n');
  });

  it("every client of the list has one, with this address and the key", () => {
    const names = [
      "claude-code",
      "codex",
      "gemini-cli",
      "opencode",
      "cline",
      "qwen-code",
      "copilot-cli",
      "pi",
      "aider",
      "curl",
      "continue",
      "vs-code",
      "cursor",
      "zed",
      "open-webui",
      "librechat",
      "openai-python",
      "openai-typescript",
      "anthropic-python",
      "anthropic-typescript",
      "google-genai",
      "ai-sdk",
      "claude-agent-sdk",
      "openai-agents",
      "langchain",
      "mastra",
      "llamaindex",
    ];
    expect(all.map(({ id }) => id)).toEqual(names);
    for (const { steps } of all) {
      const text = steps.map((step) => step.text).join("\n");
      expect(text).toContain("https://gateway.test");
      expect(text).toContain("gw_test");
    }
  });

  it("Anthropic's and Google's own clients get the address without /v1, the others with it", () => {
    const others = new Set(["claude-code", "claude-agent-sdk", "gemini-cli", "google-genai"]);
    for (const { id, steps } of all) {
      const bare = others.has(id) || id.startsWith("anthropic");
      expect(
        steps.some(({ text }) => /gateway\.test\/v1/.test(text)),
        id,
      ).toBe(!bare);
    }
  });
});

describe("the text of a whole response", () => {
  it.each([
    ["chat", { choices: [{ message: { content: "a" } }] }, "a"],
    [
      "responses",
      {
        status: "completed",
        output: [
          { type: "reasoning", summary: [] },
          {
            type: "message",
            role: "assistant",
            content: [
              { type: "output_text", text: "a" },
              { type: "output_text", text: "b" },
            ],
          },
        ],
      },
      "ab",
    ],
    [
      "messages",
      {
        content: [
          { type: "thinking", thinking: "…" },
          { type: "text", text: "a" },
        ],
      },
      "a",
    ],
    ["chat", { error: { message: "no" } }, "no"],
    ["messages", { type: "error", error: { message: "no" } }, "no"],
    ["chat", "html", '"html"'],
  ] as const)("%s", (format, body, words) => {
    expect(responseText(format, body)).toBe(words);
  });
});
