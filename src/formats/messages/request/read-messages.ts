/** `system` and `messages` of a Messages request as neutral messages. */
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, Message } from "../../../core/request.ts";
import { noteUnknownMembers, type Notes } from "./read-context.ts";
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

export function readMessages(body: JsonObject, notes: Notes): ReadMessages {
  const messages: Message[] = [];
  const system = readSystem(body["system"], notes);
  if (system.length > 0)
    messages.push({ role: "instruction", voice: "system", top: true, blocks: system });
  const list = asArray(body["messages"]).filter(isObject);
  const lastUser = list.findLastIndex((message) => message["role"] === "user");
  let effort: string | undefined;
  list.forEach((message, at) => {
    if (message["role"] === "system") {
      const over = message["clear_at"] === "next_user_message" && at < lastUser;
      if (!over) messages.push(readInstruction(message, notes));
      effort = effortOf(message, notes) ?? effort;
    } else {
      const read = readSpeech(message, notes);
      if (read.role === "assistant") effort = undefined;
      messages.push(read);
    }
  });
  return { messages, ...(effort !== undefined && { effort }) };
}

function readSystem(system: JsonValue | undefined, notes: Notes): Block[] {
  if (system === undefined || system === null) return [];
  if (typeof system !== "string" && !Array.isArray(system))
    throw invalid("system", "must be a string or an array of text blocks");
  notes.speaker = "system";
  return readContent(system, "system", notes).flatMap(withoutBilling);
}

/** The line changes with every version of its client: in front of the rest it would spoil prompt caches. */
function withoutBilling(block: Block): Block[] {
  if (block.kind !== "text" || !block.text.startsWith(billingLine)) return [block];
  const end = block.text.indexOf("\n");
  const rest = end < 0 ? "" : block.text.slice(end + 1);
  return rest === "" ? [] : [{ ...block, text: rest }];
}

function readInstruction(message: JsonObject, notes: Notes): Message {
  noteUnknownMembers(notes, message, { path: "messages[]", known: systemKeys });
  notes.speaker = "system";
  const blocks = readContent(message["content"], "messages[].content", notes);
  return { role: "instruction", voice: "system", blocks };
}

function effortOf(message: JsonObject, notes: Notes): string | undefined {
  const config = message["output_config"];
  if (!isObject(config)) return undefined;
  noteUnknownMembers(notes, config, { path: "messages[].output_config", known: systemConfigKeys });
  return asString(config["effort"]);
}

function readSpeech(message: JsonObject, notes: Notes): Message {
  noteUnknownMembers(notes, message, { path: "messages[]", known: messageKeys });
  const role = message["role"] === "assistant" ? "assistant" : "user";
  notes.speaker = role;
  return { role, blocks: readContent(message["content"], "messages[].content", notes) };
}
