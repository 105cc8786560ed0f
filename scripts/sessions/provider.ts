/** The providers of all models, on this machine: they answer as the work demands, keep prompts, and count dollars. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/lib/json.ts";
import type { Conversation, Conversations } from "./conversation.ts";
import type { SimulatedModel } from "./model-sets.ts";
import { PromptCaches, type PromptBlock, tokensIn } from "./prompt-cache.ts";
import { chatEvents, messagesEvents, type WireAnswer } from "./provider-answers.ts";

export interface SimulatedProvider {
  readonly url: string;
  close(): void;
}

interface ProviderOptions {
  readonly conversations: Conversations;
  readonly models: readonly SimulatedModel[];
  /** The benchmark's time. */
  readonly now: () => number;
}

/** Starts it on a free port. */
export async function startProvider({
  conversations,
  models,
  now,
}: ProviderOptions): Promise<SimulatedProvider> {
  const caches = new PromptCaches(now);
  const byName = new Map(models.map((model) => [model.name, model]));
  const answer = (path: string, prompt: string): string => {
    const body = JSON.parse(prompt) as JsonObject;
    const model = byName.get(String(body["model"]));
    if (model === undefined) throw new Error(`a request for ${String(body["model"])}`);
    const conversation = conversations.of(prompt);
    const isMessages = path.endsWith("/messages");
    const blocks = isMessages ? messagesBlocks(body) : chatBlocks(body);
    const wire = wireAnswer(conversation, model);
    const billing = { conversation: conversation.tag, model: model.name, prices: model.prices };
    const billed = caches.bill(billing, blocks, wire.outputTokens);
    conversation.served.push({ ...billed, role: roleOf(conversation), model });
    return isMessages ? messagesEvents(wire, billed) : chatEvents(wire, billed);
  };
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      try {
        const events = answer(
          new URL(request.url ?? "", "http://x").pathname,
          Buffer.concat(parts).toString(),
        );
        response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { type: "invalid_request_error", message } }));
      }
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A listening TCP server has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close().closeAllConnections(),
  };
}

function roleOf({ expected, role }: Conversation): BilledRole {
  return expected?.kind === "say" ? expected.role : role;
}

type BilledRole = Conversation["role"];

/** The turn in the terms of the conversation's client. */
function wireAnswer(conversation: Conversation, model: SimulatedModel): WireAnswer {
  const { thinking, text, steps } = conversation.answer(model);
  const calls = steps.map(({ action }) => conversation.tools(action, conversation.tag));
  const characters =
    thinking.length +
    text.length +
    calls.reduce((sum, call) => sum + JSON.stringify(call).length, 0);
  return { model: model.name, thinking, text, calls, outputTokens: tokensIn(characters) + 10 };
}

type Marked = { readonly cache_control?: unknown };

/** In the order in which a prompt is cached: tools, instructions, messages. */
function messagesBlocks(body: JsonObject): PromptBlock[] {
  const {
    tools = [],
    system = [],
    messages = [],
  } = body as {
    tools?: Marked[];
    system?: string | Marked[];
    messages?: { role: string; content: string | Marked[] }[];
  };
  const blocks = tools.map(blockOf);
  if (typeof system === "string") blocks.push({ text: system, marked: false });
  else blocks.push(...system.map(blockOf));
  for (const { role, content } of messages) {
    if (typeof content === "string") blocks.push({ text: role + content, marked: false });
    else blocks.push(...content.map(blockOf));
  }
  const last = blocks.at(-1);
  if (body["cache_control"] !== undefined && last !== undefined)
    blocks[blocks.length - 1] = { ...last, marked: true };
  return blocks;
}

function blockOf(block: Marked): PromptBlock {
  const { cache_control: mark, ...rest } = block;
  return { text: JSON.stringify(rest), marked: mark !== undefined };
}

/** An automatic cache keeps the prompt at every message. */
function chatBlocks(body: JsonObject): PromptBlock[] {
  const { tools = [], messages = [] } = body as { tools?: unknown[]; messages?: unknown[] };
  return [
    { text: JSON.stringify(tools), marked: true },
    ...messages.map((message) => ({ text: JSON.stringify(message), marked: true })),
  ];
}
