/** Claude Code: Messages with cache marks, twenty tools, reminders around what the human says, agents, plan mode. */
import { folderOf } from "../conversation.ts";
import { instructionText } from "../material.ts";
import type { WireObject } from "../provider-answers.ts";
import {
  type AgentClient,
  type AskManner,
  type ClientConversation,
  type ConversationSetup,
  idOf,
  property,
  type Ran,
  schemaOf,
  type ToolNames,
  type ToolText,
  type WireRequest,
} from "./client.ts";

const text = property("string", "The text");
const path = property("string", "The absolute path of the file");
const toolTexts: readonly (readonly [string, Record<string, WireObject>, string[], number])[] = [
  [
    "Agent",
    { description: text, prompt: text, subagent_type: text },
    ["description", "prompt"],
    4200,
  ],
  [
    "AskUserQuestion",
    { questions: property("array", "1 to 4", { items: { type: "object" } }) },
    ["questions"],
    900,
  ],
  [
    "Bash",
    {
      command: text,
      timeout: property("number", "In ms"),
      description: text,
      run_in_background: property("boolean", ""),
    },
    ["command"],
    6000,
  ],
  ["CronCreate", { cron: text, prompt: text }, ["cron", "prompt"], 1200],
  ["CronList", {}, [], 200],
  [
    "Edit",
    {
      file_path: path,
      old_string: text,
      new_string: text,
      replace_all: property("boolean", "", { default: false }),
    },
    ["file_path", "old_string", "new_string"],
    1100,
  ],
  ["EnterPlanMode", {}, [], 2000],
  ["EnterWorktree", { name: text }, [], 700],
  ["ExitPlanMode", { plan: text }, [], 1500],
  ["Glob", { pattern: text, path }, ["pattern"], 500],
  [
    "Grep",
    {
      pattern: text,
      path,
      output_mode: property("string", "", { enum: ["content", "files_with_matches", "count"] }),
    },
    ["pattern"],
    900,
  ],
  ["ListMcpResources", { server: text }, [], 300],
  ["NotebookEdit", { notebook_path: path, new_source: text }, ["notebook_path", "new_source"], 600],
  [
    "Read",
    {
      file_path: path,
      offset: property("number", "First line"),
      limit: property("number", "Lines"),
    },
    ["file_path"],
    1500,
  ],
  ["Skill", { skill: text, args: text }, ["skill"], 1000],
  ["TaskOutput", { task_id: text }, ["task_id"], 500],
  ["TodoWrite", { todos: property("array", "", { items: { type: "object" } }) }, ["todos"], 5000],
  ["WebFetch", { url: text, prompt: text }, ["url", "prompt"], 1000],
  ["WebSearch", { query: text }, ["query"], 900],
  ["Write", { file_path: path, content: text }, ["file_path", "content"], 600],
];

const tools = toolTexts.map(([name, properties, required, length], at) => {
  const tool: ToolText = { name, properties, required, description: instructionText(length, at) };
  return {
    name,
    description: tool.description,
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...schemaOf(tool),
      additionalProperties: false,
    },
  };
});
/** Agents that only look get no tools that change files, and delegate nothing. */
const withheld = new Set([
  "Agent",
  "Edit",
  "Write",
  "NotebookEdit",
  "ExitPlanMode",
  "EnterPlanMode",
]);
const lookingTools = tools.filter(({ name }) => !withheld.has(name));
const workingTools = tools.filter(({ name }) => name !== "Agent" && name !== "EnterPlanMode");

const toolNames: ToolNames = (action, tag) => {
  const at = (place: string): string => `${folderOf(tag)}/${place}`;
  switch (action.kind) {
    case "read":
      return { name: "Read", input: { file_path: at(action.path) } };
    case "search": {
      const { pattern, path: place } = action;
      return { name: "Grep", input: { pattern, path: at(place), output_mode: "content" } };
    }
    case "list":
      return { name: "Glob", input: { pattern: `${action.path}/**/*` } };
    case "run":
      return { name: "Bash", input: { command: action.command, description: "Run a command" } };
    case "edit": {
      const { before, after } = action;
      const input = { file_path: at(action.path), old_string: before, new_string: after };
      return { name: "Edit", input };
    }
    case "broken edit":
      return { name: "Edit", input: { file_path: at(action.path), new_string: action.after } };
    case "delegate": {
      const { agent, title, prompt } = action;
      return { name: "Agent", input: { description: title, prompt, subagent_type: agent } };
    }
    case "present plan":
      return { name: "ExitPlanMode", input: { plan: action.plan } };
    default:
      return action satisfies never;
  }
};

export const claudeCode: AgentClient = {
  tools: toolNames,
  delegates: true,
  open: (setup) => new ClaudeConversation(setup),
  title: (setup, ask) => (model) => ({
    path: "/v1/messages?beta=true",
    headers: headersOf(setup, "auxiliary"),
    body: {
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: `<session>\n${folderOf(setup.tag)}\n${ask}\n</session>` },
          ],
        },
      ],
      system: [
        billing,
        { type: "text", text: introduction },
        {
          type: "text",
          text: 'Generate a concise, sentence-case title (3-7 words) that captures the main topic or goal of this coding session. Return JSON with a single "title" field.',
        },
      ],
      tools: [],
      max_tokens: 32_000,
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { title: { type: "string" } },
            required: ["title"],
            additionalProperties: false,
          },
        },
      },
      stream: true,
    },
  }),
};

const introduction = "You are Claude Code, Anthropic's official CLI for Claude.";
const billing = {
  type: "text",
  text: "x-anthropic-billing-header: cc_version=2.1.330.a1b; cc_entrypoint=cli;",
};

function headersOf(
  { sessionId, agent, hints }: ConversationSetup,
  requestClass: string,
): Record<string, string> {
  return {
    "user-agent": "claude-cli/2.1.330 (external, cli)",
    "x-app": "cli",
    "anthropic-version": "2023-06-01",
    "anthropic-beta":
      "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,mid-conversation-tool-changes-2026-07-01,thinking-token-count-2026-05-13,advanced-tool-use-2025-11-20,effort-2025-11-24",
    "x-claude-code-session-id": idOf(sessionId),
    ...(agent !== undefined && { "x-claude-code-agent-id": idOf(agent.id) }),
    ...(hints && { "x-claude-code-request-class": requestClass }),
    ...(hints && agent !== undefined && { "x-claude-code-agent-type": agent.type }),
  };
}

const agentInstructions = {
  Explore:
    "You are a file search specialist for Claude Code, Anthropic's official CLI for Claude. You excel at thoroughly navigating and exploring codebases.",
  "general-purpose":
    "You are an agent for Claude Code, Anthropic's official CLI for Claude. Given the user's message, you should use the tools available to complete the task.",
};

type Content = WireObject[];
interface Message {
  readonly role: string;
  readonly content: Content;
}

class ClaudeConversation implements ClientConversation {
  #messages: Message[] = [];
  #isCompacted = false;
  #calls: string[] = [];
  readonly #system: Content;
  readonly #tools: readonly WireObject[];

  readonly setup: ConversationSetup;

  constructor(setup: ConversationSetup) {
    this.setup = setup;
    const { agent } = setup;
    const mark = { cache_control: { type: "ephemeral" } };
    const own = agent === undefined ? "" : `${agentInstructions[agent.type]}\n`;
    const length = agent === undefined ? 14_000 : 4000;
    this.#system = [
      billing,
      { type: "text", text: introduction, ...mark },
      { type: "text", text: `${own}${instructionText(length, own.length)}`, ...mark },
    ];
    this.#tools =
      agent === undefined ? tools : agent.type === "Explore" ? lookingTools : workingTools;
  }

  ask(words: string, manner: AskManner): void {
    const content: Content = [];
    if (manner === "interrupting")
      content.push({ type: "text", text: "[Request interrupted by user]" });
    if (this.#messages.length === 0)
      content.push(reminder(`${context}\n${instructionText(2500, 3)}`));
    content.push({ type: "text", text: words });
    if (manner === "plan") content.push(reminder(planMode));
    this.#say(content);
    if (this.#messages.length > 1) return;
    const folder = folderOf(this.setup.tag);
    const environment = `# Environment\n - Primary working directory: ${folder}\n - Is a git repository: true\n - Platform: linux\n - Shell: bash`;
    this.#messages.push({ role: "system", content: [{ type: "text", text: environment }] });
  }

  /** Words after results that no answer followed are part of the same message. */
  #say(content: Content): void {
    const last = this.#messages.at(-1);
    if (last?.role === "user") last.content.push(...content);
    else this.#messages.push({ role: "user", content });
  }

  request(model: string): WireRequest {
    return this.#requestOf(
      model,
      this.#messages,
      this.setup.agent === undefined ? "main" : "subagent",
    );
  }

  #requestOf(model: string, messages: readonly Message[], requestClass: string): WireRequest {
    const compacted = this.#isCompacted && this.setup.hints && requestClass === "main";
    if (compacted) this.#isCompacted = false;
    return {
      path: "/v1/messages?beta=true",
      headers: {
        ...headersOf(this.setup, requestClass),
        ...(compacted && { "x-claude-code-context-compacted": "manual" }),
      },
      body: {
        model,
        messages: marked(messages),
        system: this.#system,
        tools: this.#tools,
        metadata: { user_id: JSON.stringify({ session_id: idOf(this.setup.sessionId) }) },
        max_tokens: 32_000,
        thinking: { type: "adaptive" },
        output_config: { effort: "high" },
        context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
        stream: true,
      },
    };
  }

  read(events: readonly WireObject[]): number {
    const content: Content = [];
    let json = "";
    for (const event of events) {
      const block = content.at(-1);
      if (event["type"] === "content_block_start") {
        json = "";
        content.push({ ...(event["content_block"] as WireObject) });
      } else if (event["type"] === "content_block_delta" && block !== undefined) {
        const delta = event["delta"] as Record<string, string>;
        for (const name of ["text", "thinking", "signature"])
          if (delta[name] !== undefined) block[name] = String(block[name] ?? "") + delta[name];
        json += delta["partial_json"] ?? "";
      } else if (event["type"] === "content_block_stop" && block?.["type"] === "tool_use")
        block["input"] = JSON.parse(json === "" ? "{}" : json);
    }
    const calls = content.filter(({ type }) => type === "tool_use");
    this.#calls = calls.map(({ id }) => String(id));
    this.#messages.push({ role: "assistant", content });
    return calls.length;
  }

  results(ran: readonly Ran[]): void {
    const content = ran.map(({ action, outcome }, at) => ({
      type: "tool_result",
      tool_use_id: this.#calls[at],
      ...resultOf({ action, outcome }),
    }));
    this.#messages.push({ role: "user", content });
  }

  compaction(model: string): WireRequest {
    const words =
      "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests and your previous actions.";
    const asked = { role: "user", content: [{ type: "text", text: words }] };
    return this.#requestOf(model, [...this.#messages, asked], "compaction");
  }

  resume(summary: string): void {
    this.#messages = [];
    this.#isCompacted = true;
    const words = `This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\n${summary}`;
    this.ask(words, "plain");
  }
}

const context =
  "As you answer the user's questions, you can use the following context:\n# claudeMd\nCodebase and user instructions are shown below.";
const planMode =
  "Plan mode is active. The user indicated that they do not want you to execute yet -- you MUST NOT make any edits, run any non-readonly tools, or otherwise make any changes to the system.";
const planApproved =
  "User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n## Exited Plan Mode\n\nYou have exited plan mode. You can now make edits, run tools, and take actions.";

function reminder(words: string): WireObject {
  return { type: "text", text: `<system-reminder>\n${words}\n</system-reminder>` };
}

/** The last content that is no instruction carries the mark. */
function marked(messages: readonly Message[]): Message[] {
  const at = messages.findLastIndex(({ role }) => role !== "system");
  return messages.map((message, index) => {
    if (index !== at) return message;
    const content = message.content.map((block, place) =>
      place === message.content.length - 1
        ? { ...block, cache_control: { type: "ephemeral" } }
        : block,
    );
    return { ...message, content };
  });
}

function resultOf({ action, outcome }: Ran): WireObject {
  switch (outcome.kind) {
    case "fine":
      return {
        content: action.kind === "present plan" ? planApproved : outcome.text,
        is_error: false,
      };
    case "failed command":
      return { content: `Exit code 1\n${outcome.text}`, is_error: true };
    case "text not found": {
      const before = action.kind === "edit" ? action.before : "";
      return {
        content: `<tool_use_error>String to replace not found in file.\nString: ${before}</tool_use_error>`,
        is_error: true,
      };
    }
    case "missing parameter":
      return {
        content:
          "<tool_use_error>InputValidationError: Edit failed due to the following issue:\nThe required parameter `old_string` is missing</tool_use_error>",
        is_error: true,
      };
    default:
      return outcome satisfies never;
  }
}
