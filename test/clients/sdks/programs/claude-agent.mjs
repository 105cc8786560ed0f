/** The Claude Agent SDK, which runs Claude Code: tools of one's own come from a server inside this process. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { serve } from "./serve.mjs";
import {
  note,
  noteInput,
  noteText,
  prompt,
  question,
  report,
  schemaOf,
  weather,
  weatherInput,
  weatherText,
} from "./work.mjs";

const said = (text) => ({ content: [{ type: "text", text }] });

const serverOf = () =>
  createSdkMcpServer({
    name: "work",
    version: "1.0.0",
    tools: [
      tool("weather", weatherText, weatherInput.shape, async (input) => said(weather(input))),
      tool("note", noteText, noteInput.shape, async (input) => said(note(input))),
    ],
  });

function optionsOf({ gateway, key, model, controller }) {
  const home = mkdtempSync(path.join(os.tmpdir(), "agent-"));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ANTHROPIC_BASE_URL: gateway,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    ENABLE_TOOL_SEARCH: "false",
  };
  const onlyMine = { tools: [], mcpServers: { work: serverOf() }, settingSources: [] };
  const allowed = { allowedTools: ["mcp__work__weather", "mcp__work__note"] };
  return { model, env, cwd: home, abortController: controller, ...onlyMine, ...allowed };
}

/** The result of a run. A run that ends as an error is thrown, as a program would. */
async function resultOf(messages, onMessage = () => {}) {
  let result;
  for await (const message of messages) {
    onMessage(message);
    if (message.type === "result") result = message;
  }
  if (result === undefined) throw new Error("no result");
  if (result.is_error === true)
    throw Object.assign(new Error(result.result ?? result.errors?.join()), {
      status: result.api_error_status,
    });
  return result;
}

const messages = {
  async task(at) {
    return (await resultOf(query({ prompt, options: optionsOf(at) }))).result;
  },
  async stream(at) {
    const options = { ...optionsOf(at), includePartialMessages: true };
    const pieces = ({ event }) => {
      if (event?.delta?.type === "text_delta") at.onText(event.delta.text);
    };
    return (await resultOf(query({ prompt: question, options }), pieces)).result;
  },
  async structured(at) {
    const outputFormat = { type: "json_schema", schema: schemaOf(report) };
    const options = { ...optionsOf(at), outputFormat };
    return (await resultOf(query({ prompt: question, options }))).structured_output;
  },
  async ask(at) {
    return (await resultOf(query({ prompt: question, options: optionsOf(at) }))).result;
  },
};

serve({ messages });
