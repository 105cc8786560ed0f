/** Claude Code's WebSearch asks for a server tool: its results are somebody's search, or it is told that there is none. */
import { whole } from "../../kit/script.ts";
import type { Said } from "../../kit/wire/said.ts";
import { startClaude } from "../cli.ts";
import type { Scene } from "./scene.ts";
import { calling, model, type Heard } from "./lines.ts";
import type { Stage } from "./stage.ts";

const page = { url: "https://example.org/tides", title: "Tides of today" };
const invented = "https://invented.example/tides";
const fact = "High tide is at noon [1].";
// Providers of the other formats search by themselves.
const formats = ["chat"] as const;

/** As Anthropic's own search tells it. */
const found = whole({
  id: "msg_s",
  type: "message",
  role: "assistant",
  model: "m",
  content: [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [{ type: "web_search_result", ...page, encrypted_content: "abc", page_age: null }],
    },
    { type: "text", text: "High tide is at noon." },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 50, output_tokens: 10, server_tool_use: { web_search_requests: 1 } },
});

/** The agent loads the tool and uses it; the model of the side request searches if it can, and invents if it cannot. */
function say({ results, offers }: Heard): Said {
  if (!offers("Bash"))
    return !offers("web_search")
      ? { text: `Results: ${invented}` }
      : results.length === 0
        ? calling("web_search", { query: "tides" })
        : { text: fact };
  if (results.length === 0)
    return calling("ToolSearch", { query: "select:WebSearch", max_results: 5 });
  if (results.length === 1) return calling("WebSearch", { query: "tides" }, "call_2");
  return { text: `Heard: ${results[1]?.text}` };
}

async function search(stage: Stage): Promise<string> {
  const asked = { prompt: "When is high tide?", args: ["--allowedTools", "WebSearch"] };
  const { output } = await startClaude({ ...stage.run, client: "claude", model: "lab/m" }, asked);
  return output;
}

export const webSearch: Scene = {
  name: "search-served",
  formats,
  cast: (format) => ({
    lab: model(format, say),
    web: { format: "messages", answer: () => found },
  }),
  async play(stage) {
    await stage.open({ web_search: { provider: "web" } });
    const output = await search(stage);
    const lacks = [page.url, page.title, fact].filter((text) => !output.includes(text));
    const searches = stage.received["web"]?.length;
    return [
      ...lacks.map((text) => `the tool's result lacks ${text}`),
      ...(searches === 1 ? [] : [`${searches} searches`]),
      ...(lacks.length > 0 ? [output.slice(-1000)] : []),
    ];
  },
};

export const noWebSearch: Scene = {
  name: "search-refused",
  formats,
  cast: (format) => ({ lab: model(format, say) }),
  async play(stage) {
    await stage.open();
    const output = await search(stage);
    const problems: string[] = [];
    if (output.includes(invented)) problems.push("results were invented");
    if (!/Heard: [\s\S]*error/i.test(output)) problems.push("the tool tells no error");
    return problems.length > 0 ? [...problems, output.slice(-1000)] : [];
  },
};
