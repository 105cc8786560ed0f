/** `system` and `messages` of a Messages request as neutral messages. */
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, Message } from "../../../core/request.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";
import { readContent } from "./read-content.ts";

const messageKeys = new Set(["role", "content"]);
const systemKeys = new Set(["role", "content", "clear_at", "output_config"]);
const systemConfigKeys = new Set(["effort"]);

/** First words of a line that Claude Code puts into its instructions for Anthropic's accounting alone. */
const billingLine = "x-anthropic-billing-header:";

export interface ReadMessages {
  messages: Message[];
  /** The effort that an instruction asked for in the turn that is now to be answered. */
  effort?: string;
}

export function readMessages(body: JsonObject, context: RequestReadContext): ReadMessages {
  const messages: Message[] = [];
  const system = readSystem(body["system"], context);
  if (system.length > 0)
    messages.push({ role: "instruction", voice: "system", top: true, blocks: system });
  const list = asArray(body["messages"]).filter(isObject);
  const lastUser = list.findLastIndex((message) => message["role"] === "user");
  let effort: string | undefined;
  list.forEach((message, at) => {
    if (message["role"] === "system") {
      const over = message["clear_at"] === "next_user_message" && at < lastUser;
      if (!over) messages.push(readInstruction(message, context));
      effort = effortOf(message, context) ?? effort;
    } else {
      const read = readSpeech(message, context);
      if (read.role === "assistant") effort = undefined;
      messages.push(read);
    }
  });
  return { messages, ...(effort !== undefined && { effort }) };
}

function readSystem(system: JsonValue | undefined, context: RequestReadContext): Block[] {
  if (system === undefined || system === null) return [];
  if (typeof system !== "string" && !Array.isArray(system))
    throw invalid("system", "must be a string or an array of text blocks");
  context.speaker = "system";
  return readContent(system, "system", context).flatMap(withoutBilling);
}

/** The line changes with every version of its client: in front of the rest it would spoil prompt caches. */
function withoutBilling(block: Block): Block[] {
  if (block.kind !== "text" || !block.text.startsWith(billingLine)) return [block];
  const end = block.text.indexOf("\n");
  const rest = end < 0 ? "" : block.text.slice(end + 1);
  return rest === "" ? [] : [{ ...block, text: rest }];
}

function readInstruction(message: JsonObject, context: RequestReadContext): Message {
  noteUnknown(message, { path: "messages[]", known: systemKeys }, context);
  context.speaker = "system";
  const blocks = readContent(message["content"], "messages[].content", context);
  return { role: "instruction", voice: "system", blocks };
}

function effortOf(message: JsonObject, context: RequestReadContext): string | undefined {
  const config = message["output_config"];
  if (!isObject(config)) return undefined;
  noteUnknown(config, { path: "messages[].output_config", known: systemConfigKeys }, context);
  return asString(config["effort"]);
}

function readSpeech(message: JsonObject, context: RequestReadContext): Message {
  noteUnknown(message, { path: "messages[]", known: messageKeys }, context);
  const role = message["role"] === "assistant" ? "assistant" : "user";
  context.speaker = role;
  return { role, blocks: readContent(message["content"], "messages[].content", context) };
}
