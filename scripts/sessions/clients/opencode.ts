/** opencode: chat completions, a dozen tools, no marks; a failed command is known by its output alone. */
import { folderOf } from "../conversation.ts";
import { instructionText } from "../material.ts";
import type { WireObject } from "../provider-answers.ts";
import {
  type AgentClient,
  type ClientConversation,
  type ConversationSetup,
  idOf,
  property,
  type Ran,
  schemaOf,
  type ToolNames,
  type WireRequest,
} from "./client.ts";

const text = property("string", "The text");
const path = property("string", "The absolute path of the file");
const toolTexts: readonly (readonly [string, Record<string, WireObject>, string[], number])[] = [
  [
    "bash",
    { command: text, timeout: property("number", ""), description: text },
    ["command", "description"],
    6500,
  ],
  [
    "edit",
    { filePath: path, oldString: text, newString: text, replaceAll: property("boolean", "") },
    ["filePath", "oldString", "newString"],
    1300,
  ],
  ["glob", { pattern: text, path }, ["pattern"], 500],
  ["grep", { pattern: text, path, include: text }, ["pattern"], 700],
  [
    "question",
    { questions: property("array", "", { items: { type: "object" } }) },
    ["questions"],
    600,
  ],
  [
    "read",
    { filePath: path, offset: property("number", ""), limit: property("number", "") },
    ["filePath"],
    1100,
  ],
  ["skill", { name: text }, ["name"], 500],
  [
    "task",
    { description: text, prompt: text, subagent_type: text },
    ["description", "prompt", "subagent_type"],
    2500,
  ],
  ["todowrite", { todos: property("array", "", { items: { type: "object" } }) }, ["todos"], 5000],
  [
    "webfetch",
    { url: text, format: property("string", "", { enum: ["text", "markdown", "html"] }) },
    ["url"],
    800,
  ],
  ["write", { filePath: path, content: text }, ["content", "filePath"], 700],
];

const tools = toolTexts.map(([name, properties, required, length], at) => {
  const description = instructionText(length, at + 5);
  const parameters = schemaOf({ name, properties, required, description });
  return { type: "function", function: { name, description, parameters } };
});
const agentTools = tools.filter(
  ({ function: { name } }) => name !== "task" && name !== "todowrite",
);

const agentNames = { Explore: "explore", "general-purpose": "general" } as const;

const toolNames: ToolNames = (action, tag) => {
  const at = (place: string): string => `${folderOf(tag)}/${place}`;
  switch (action.kind) {
    case "read":
      return { name: "read", input: { filePath: at(action.path) } };
    case "search":
      return { name: "grep", input: { pattern: action.pattern, path: at(action.path) } };
    case "list":
      return { name: "glob", input: { pattern: `${action.path}/**/*` } };
    case "run":
      return { name: "bash", input: { command: action.command, description: "Run a command" } };
    case "edit": {
      const { before, after } = action;
      const input = { filePath: at(action.path), oldString: before, newString: after };
      return { name: "edit", input };
    }
    case "broken edit":
      return { name: "edit", input: { filePath: at(action.path), newString: action.after } };
    case "delegate": {
      const { agent, title, prompt } = action;
      const input = { description: title, prompt, subagent_type: agentNames[agent] };
      return { name: "task", input };
    }
    case "present plan":
      return { name: "todowrite", input: { todos: [{ content: action.plan, status: "pending" }] } };
    default:
      return action satisfies never;
  }
};

export const opencode: AgentClient = {
  tools: toolNames,
  delegates: true,
  open: (setup) => new OpencodeConversation(setup),
  title: (setup, ask) => (model) => ({
    path: "/v1/chat/completions",
    headers: headersOf(setup),
    body: {
      model,
      messages: [
        {
          role: "system",
          content: `You are a title generator. You output ONLY a thread title. Nothing else.\n${instructionText(1200, 2)}`,
        },
        { role: "user", content: "Generate a title for this conversation:\n" },
        { role: "user", content: `${ask}\n(${folderOf(setup.tag)})` },
      ],
      max_tokens: 32_000,
      stream: true,
      stream_options: { include_usage: true },
    },
  }),
};

function headersOf({ sessionId, agent }: ConversationSetup): Record<string, string> {
  const own = agent === undefined ? sessionId : agent.id;
  return {
    "user-agent": "opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.10",
    "x-session-affinity": `ses_${idOf(own)}`,
    "x-session-id": `ses_${idOf(own)}`,
    ...(agent !== undefined && { "x-parent-session-id": `ses_${idOf(sessionId)}` }),
  };
}

class OpencodeConversation implements ClientConversation {
  #messages: WireObject[];
  #calls: string[] = [];
  readonly #system: WireObject;

  readonly setup: ConversationSetup;

  constructor(setup: ConversationSetup) {
    this.setup = setup;
    const { agent, tag } = setup;
    const head =
      agent?.type === "Explore"
        ? "You are a file search specialist. You excel at thoroughly navigating and exploring codebases.\n"
        : "You are opencode, an interactive CLI tool that helps users with software engineering tasks.\n";
    const body = instructionText(agent === undefined ? 9000 : 3000, head.length);
    const environment = `<env>\n  Working directory: ${folderOf(tag)}\n  Is directory a git repo: yes\n  Platform: linux\n</env>`;
    this.#system = { role: "system", content: `${head}${body}\n${environment}` };
    this.#messages = [this.#system];
  }

  ask(words: string): void {
    this.#messages.push({ role: "user", content: words });
  }

  request(model: string): WireRequest {
    return this.#requestOf(
      model,
      this.#messages,
      this.setup.agent === undefined ? tools : agentTools,
    );
  }

  #requestOf(
    model: string,
    messages: readonly WireObject[],
    offered: readonly WireObject[],
  ): WireRequest {
    return {
      path: "/v1/chat/completions",
      headers: headersOf(this.setup),
      body: {
        model,
        max_tokens: 32_000,
        messages,
        ...(offered.length > 0 && { tools: offered, tool_choice: "auto" }),
        stream: true,
        stream_options: { include_usage: true },
      },
    };
  }

  read(events: readonly WireObject[]): number {
    let content = "";
    let reasoning = "";
    const calls: { id: string; type: "function"; function: { name: string; arguments: string } }[] =
      [];
    for (const event of events) {
      const { choices = [] } = event as { choices?: { delta: ChatDelta }[] };
      const delta = choices[0]?.delta;
      content += delta?.content ?? "";
      reasoning += delta?.reasoning_content ?? "";
      for (const { index, id, function: called } of delta?.tool_calls ?? []) {
        const call = (calls[index] ??= {
          id: "",
          type: "function",
          function: { name: "", arguments: "" },
        });
        call.id += id ?? "";
        call.function.name += called?.name ?? "";
        call.function.arguments += called?.arguments ?? "";
      }
    }
    this.#calls = calls.map(({ id }) => id);
    this.#messages.push({
      role: "assistant",
      content,
      ...(reasoning !== "" && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    });
    return calls.length;
  }

  results(ran: readonly Ran[]): void {
    for (const [at, done] of ran.entries())
      this.#messages.push({ role: "tool", tool_call_id: this.#calls[at], content: resultOf(done) });
  }

  compaction(model: string): WireRequest {
    const words =
      "Provide a detailed prompt for continuing our conversation above. Focus on information that would be helpful for continuing the conversation.";
    return this.#requestOf(model, [...this.#messages, { role: "user", content: words }], []);
  }

  resume(summary: string): void {
    this.#messages = [
      this.#system,
      { role: "user", content: "What did we do so far?" },
      { role: "assistant", content: summary },
    ];
  }
}

interface ChatDelta {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

function resultOf({ outcome }: Ran): string {
  switch (outcome.kind) {
    case "fine":
    case "failed command":
      return outcome.text;
    case "text not found":
      return "Error: oldString not found in content. It must match exactly, including whitespace, indentation, and line endings.";
    case "missing parameter":
      return 'Error: The edit tool was called with invalid arguments: [{"expected":"string","code":"invalid_type","path":["oldString"],"message":"Invalid input: expected string, received undefined"}].\nPlease rewrite the input so it satisfies the expected schema.';
    default:
      return outcome satisfies never;
  }
}
