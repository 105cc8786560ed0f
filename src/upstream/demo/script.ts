/** What the demo says: an answer in the hub's terms, made from the request alone. */
import type { ReplyEvent, StopReason } from "../../core/events.ts";
import type { Block, Message, Tool, ModelRequest } from "../../core/request.ts";
import type { Usage } from "../../core/usage.ts";
import { sampleArguments, sampleFor } from "./arguments.ts";

const notice = "This is the gateway's built-in demo: no language model was asked.";
const quoted = 400;

/** One step of the answer: what is sent together. */
type Step = ReplyEvent[];

export interface Script {
  steps: Step[];
  stop: StopReason;
  usage: Usage;
}

/** The answer of one demo model to one request, in steps of a word each. */
export function scriptFor(request: ModelRequest, model: string): Script {
  const tool = model === "tools" ? chosenTool(request) : undefined;
  const text =
    tool === undefined
      ? replyText(request, model)
      : `${notice} It calls ${tool.name} once, with made-up arguments.`;
  const cut = limited(text, request.maxOutput);
  const steps: Step[] = [
    [{ kind: "open", key: 0, block: { kind: "text" } }],
    ...words(cut.text).map((word): Step => [{ kind: "delta", key: 0, text: word }]),
  ];
  steps.push([{ kind: "close", key: 0 }]);
  if (tool !== undefined && !cut.short) steps.push(...callSteps(tool));
  const stop: StopReason = cut.short ? "length" : tool === undefined ? "end" : "tools";
  return {
    steps,
    stop,
    usage: { input: tokens(inputText(request)), output: tokens(cut.text), cacheRead: 0 },
  };
}

/** Words with the spaces that follow them. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** About four characters are a token. */
function tokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

function limited(text: string, most: number | undefined): { text: string; short: boolean } {
  if (most === undefined || tokens(text) <= most) return { text, short: false };
  return { text: text.slice(0, Math.max(1, most * 4)).toWellFormed(), short: true };
}

type OfferedTool = Extract<Tool, { kind: "function" | "custom" }>;

/** The tool to call: none when a result is already there, when none is offered or when calls are ruled out. */
function chosenTool(request: ModelRequest): OfferedTool | undefined {
  const { choice } = request;
  const last = request.messages.findLast((message) => message.role === "user");
  if (
    choice?.type === "none" ||
    last === undefined ||
    last.blocks.some((block) => block.kind === "result")
  )
    return undefined;
  const offered = request.tools.filter((tool): tool is OfferedTool => tool.kind !== "hosted");
  if (choice?.type === "tool") return offered.find((tool) => tool.name === choice.name);
  const allowed =
    choice?.type === "allowed"
      ? offered.filter((tool) => choice.names.includes(tool.name))
      : offered;
  return allowed.toSorted((a, b) => harm(a) - harm(b))[0];
}

/** Tools that only look come first: a client may really run the call. */
function harm(tool: OfferedTool): number {
  if (/write|edit|delete|remove|patch|kill|send|create|update/i.test(tool.name)) return 3;
  if (tool.kind === "custom") return 2;
  return /read|list|get|search|find|look|fetch|weather|glob|grep/i.test(tool.name) ? 0 : 1;
}

function callSteps(tool: OfferedTool): Step[] {
  const { name, namespace } = tool;
  const id = `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
  const input = tool.kind === "function" ? sampleArguments(tool.schema) : "Hello from the demo";
  const call = tool.kind === "function" ? ("function" as const) : ("custom" as const);
  return [
    [
      {
        kind: "open",
        key: 1,
        block: { kind: "call", id, name, call, ...(namespace !== undefined && { namespace }) },
      },
    ],
    ...words(input).map((word): Step => [{ kind: "delta", key: 1, text: word }]),
    [{ kind: "close", key: 1 }],
  ];
}

function replyText(request: ModelRequest, model: string): string {
  if (request.output?.type === "json") return JSON.stringify({ demo: true, message: notice });
  if (request.output?.type === "schema") return JSON.stringify(sampleFor(request.output.schema));
  const last = request.messages.findLast((message) => message.role === "user");
  const results = last === undefined ? [] : last.blocks.filter((block) => block.kind === "result");
  if (results.length > 0) return resultText(results);
  const said = last === undefined ? "" : textOf(last.blocks).trim();
  const hint = model === "tools" ? " Offer it a tool and it will call that." : "";
  const help = `${hint} Connect a provider to get real answers.`;
  return said === ""
    ? `${notice}${help}`
    : `${notice} You said: ${shortened(said)}${ended(said) ? "" : "."}${help}`;
}

function resultText(results: readonly Block[]): string {
  const texts = results.map((block) =>
    block.kind === "result" ? textOf(block.blocks).trim() : "",
  );
  const first = texts.find((text) => text !== "") ?? "nothing";
  const count =
    results.length === 1 ? "One tool result came back" : `${results.length} tool results came back`;
  return `${notice} ${count}; the first says: ${shortened(first)}`;
}

function shortened(text: string): string {
  return text.length <= quoted ? text : `${text.slice(0, quoted).toWellFormed()} …`;
}

const ended = (text: string): boolean => /[.!?…]$/.test(text);

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.kind === "text" ? block.text : "")).join("");
}

function inputText(request: ModelRequest): string {
  return request.messages.map((message: Message) => textOf(message.blocks)).join("\n");
}
