/** Codex: Responses, a shell for everything but patches, which are written in a grammar. */
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
  type WireRequest,
} from "./client.ts";

const text = property("string", "The text");
const number = property("number", "The number");
const toolTexts: readonly (readonly [string, Record<string, WireObject>, string[], number])[] = [
  [
    "exec_command",
    {
      cmd: text,
      workdir: text,
      yield_time_ms: number,
      max_output_tokens: number,
      tty: property("boolean", ""),
    },
    ["cmd"],
    900,
  ],
  ["write_stdin", { session_id: number, chars: text }, ["session_id"], 500],
  [
    "update_plan",
    { explanation: text, plan: property("array", "", { items: { type: "object" } }) },
    ["plan"],
    900,
  ],
  [
    "request_user_input",
    { questions: property("array", "", { items: { type: "object" } }) },
    ["questions"],
    1200,
  ],
  ["view_image", { path: text }, ["path"], 300],
  ["get_goal", {}, [], 300],
  ["create_goal", { objective: text }, ["objective"], 700],
  ["update_goal", { status: text }, ["status"], 700],
];
const grammar =
  'start: begin_patch hunk+ end_patch\nbegin_patch: "*** Begin Patch" LF\nend_patch: "*** End Patch" LF?\n';

const tools: readonly WireObject[] = [
  ...toolTexts.map(([name, properties, required, length], at) => {
    const description = instructionText(length, at + 9);
    const schema = schemaOf({ name, properties, required, description });
    const parameters = { ...schema, additionalProperties: false };
    return { type: "function", name, description, strict: false, parameters };
  }),
  {
    type: "custom",
    name: "apply_patch",
    description: "Use the `apply_patch` tool to edit files. This is a FREEFORM tool.",
    format: { type: "grammar", syntax: "lark", definition: grammar },
  },
  {
    type: "tool_search",
    execution: "client",
    description: instructionText(800, 4),
    parameters: schemaOf({
      name: "",
      properties: { query: text },
      required: ["query"],
      description: "",
    }),
  },
  { type: "web_search", external_web_access: false, search_content_types: [] },
];

const toolNames: ToolNames = (action) => {
  switch (action.kind) {
    case "read":
      return shell(`sed -n '1,200p' ${action.path}`);
    case "search":
      return shell(`rg -n "${action.pattern}" ${action.path}`);
    case "list":
      return shell(`rg --files ${action.path}`);
    case "run":
      return shell(action.command);
    case "edit": {
      const { path, before, after } = action;
      const input = `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch\n`;
      return { name: "apply_patch", input: { input } };
    }
    case "broken edit":
      return { name: "exec_command", input: { workdir: ".", yield_time_ms: action.after.length } };
    case "present plan":
      return { name: "update_plan", input: { plan: [{ step: action.plan, status: "pending" }] } };
    case "delegate":
      return { name: "update_plan", input: { plan: [{ step: action.prompt, status: "pending" }] } };
    default:
      return action satisfies never;
  }
};

function shell(cmd: string): { name: string; input: WireObject } {
  return { name: "exec_command", input: { cmd, yield_time_ms: 1000, max_output_tokens: 12_000 } };
}

export const codex: AgentClient = {
  tools: toolNames,
  delegates: false,
  open: (setup) => new CodexConversation(setup),
  title: () => undefined,
};

class CodexConversation implements ClientConversation {
  #items: WireObject[] = [];
  #calls: readonly WireObject[] = [];
  #turn = 0;

  readonly setup: ConversationSetup;

  constructor(setup: ConversationSetup) {
    this.setup = setup;
    this.#begin();
  }

  #begin(): void {
    const prompt = `You are Codex, a coding agent based on GPT-5. You and the user share one workspace.\n${instructionText(19_000, 7)}`;
    const environment = `<environment_context>\n  <cwd>${folderOf(this.setup.tag)}</cwd>\n  <shell>bash</shell>\n</environment_context>`;
    this.#items = [
      message("developer", prompt),
      message(
        "user",
        `# AGENTS.md instructions for ${folderOf(this.setup.tag)}\n\n<INSTRUCTIONS>\n${instructionText(2000, 1)}\n</INSTRUCTIONS>`,
      ),
      message("user", environment),
    ];
  }

  ask(words: string, manner: AskManner): void {
    this.#turn++;
    if (manner === "interrupting")
      this.#items.push(
        message(
          "user",
          "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
        ),
      );
    this.#items.push(message("user", words));
  }

  request(model: string): WireRequest {
    return this.#requestOf(model, this.#items, true);
  }

  #requestOf(model: string, input: readonly WireObject[], withTools: boolean): WireRequest {
    const id = idOf(this.setup.sessionId);
    const metadata = JSON.stringify({
      session_id: id,
      thread_id: id,
      turn_id: idOf(`${id}${this.#turn}`),
      request_kind: withTools ? "turn" : "compaction",
      sandbox: "workspace-write",
    });
    return {
      path: "/v1/responses",
      headers: {
        "user-agent": "codex_exec/0.169.0 (Debian 13; x86_64) xterm",
        originator: "codex_exec",
        "session-id": id,
        "thread-id": id,
        "x-codex-turn-metadata": metadata,
        "x-codex-beta-features": "remote_compaction_v2",
      },
      body: {
        model,
        input,
        tools: withTools ? tools : [],
        tool_choice: "auto",
        parallel_tool_calls: true,
        reasoning: { effort: "medium" },
        store: false,
        stream: true,
        include: ["reasoning.encrypted_content"],
        prompt_cache_key: id,
        text: { verbosity: "low" },
      },
    };
  }

  read(events: readonly WireObject[]): number {
    const completed = events.findLast(({ type }) => type === "response.completed");
    const { output = [] } = (completed?.["response"] ?? {}) as { output?: WireObject[] };
    this.#items.push(...output);
    this.#calls = output.filter(
      ({ type }) => type === "function_call" || type === "custom_tool_call",
    );
    return this.#calls.length;
  }

  results(ran: readonly Ran[]): void {
    for (const [at, done] of ran.entries())
      this.#items.push({
        type: `${String(this.#calls[at]?.["type"])}_output`,
        call_id: this.#calls[at]?.["call_id"],
        output: resultOf(done),
      });
  }

  compaction(model: string): WireRequest {
    const words =
      "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will resume the task.";
    return this.#requestOf(model, [...this.#items, message("user", words)], false);
  }

  resume(summary: string): void {
    this.#begin();
    this.#items.push(
      message(
        "user",
        `Another language model started to solve this problem and produced a summary of its thinking process.\n${summary}`,
      ),
    );
  }
}

function message(role: string, words: string): WireObject {
  return { type: "message", role, content: [{ type: "input_text", text: words }] };
}

function resultOf({ action, outcome }: Ran): string {
  if (outcome.kind === "missing parameter")
    return "failed to parse function arguments: missing field `cmd` at line 1 column 38";
  if (action.kind === "present plan") return "Plan updated";
  if (outcome.kind === "text not found") {
    const path = action.kind === "edit" ? action.path : "";
    return `apply_patch verification failed: Failed to find expected lines in ${path}`;
  }
  const code = outcome.kind === "fine" ? 0 : 1;
  const size = Math.ceil(outcome.text.length / 4);
  const head = `Exit code: ${code}\nWall time: 0.0521 seconds\nOutput:`;
  if (action.kind === "edit")
    return `${head}\nSuccess. Updated the following files:\nM ${action.path}\n`;
  return `Chunk ID: 3f2a1c\nWall time: 0.0521 seconds\nProcess exited with code ${code}\nOriginal token count: ${size}\nOutput:\n${outcome.text}`;
}
