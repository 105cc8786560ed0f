/** A bounded summary of a request, computed once for all stages of routing. */
import type { Block, MediaBlock, Message, ModelRequest } from "../../core/request.ts";
import { startsWithClientMarkup } from "../../core/client-markup.ts";
import {
  cachedMessageText,
  isConfirmation,
  messageText,
  truncateAsk,
  type MessageText,
} from "./human-text.ts";

/** What routing reads of a request. */
export interface RoutingView {
  /** The last human ask without client markup, truncated. */
  readonly ask: string;
  /** The first human ask: identifies the conversation. */
  readonly firstAsk: string;
  /** Human messages; tool results do not count. */
  readonly asks: number;
  /** Tools that the model is offered. */
  readonly tools: number;
  /** Tool calls so far. */
  readonly calls: number;
  readonly images: number;
  readonly documents: number;
  readonly audio: number;
  readonly videos: number;
  /** Media that lie at a provider and are told by their ids. */
  readonly files: number;
  /** What the client put around the asks and announced in instructions: read for the client's own signs only. */
  readonly clientText: string;
  /** The model is at work with its tools: the last message brings their results. */
  readonly inToolLoop: boolean;
  /** The last answer contains reasoning that only its provider can read. */
  readonly opaqueReasoning: boolean;
  /** The client pays for caching the prefix for an hour. */
  readonly longCache: boolean;
}

/** Summarizes a request. The cost depends on the number of blocks, not on their length. */
export function viewRequest({ messages, tools }: ModelRequest): RoutingView {
  const textOf = cachedMessageText();
  const { ask, clientText } = findAsk(messages, textOf);
  return {
    ...countBlocks(messages),
    inToolLoop: endsInToolResults(messages),
    opaqueReasoning: hasOpaqueReasoning(messages),
    ask: truncateAsk(ask),
    clientText,
    firstAsk: findFirstAsk(messages, textOf),
    tools: tools.filter((tool) => tool.kind !== "function" || tool.deferred !== true).length,
  };
}

interface BlockCounts {
  asks: number;
  calls: number;
  images: number;
  documents: number;
  audio: number;
  videos: number;
  files: number;
  longCache: boolean;
}

function countBlocks(messages: readonly Message[]): BlockCounts {
  const media = { images: 0, documents: 0, audio: 0, videos: 0, files: 0 };
  const counts: BlockCounts = { asks: 0, calls: 0, ...media, longCache: false };
  for (const { role, blocks } of messages) {
    if (role === "user" && blocks.some(isHumanText)) counts.asks++;
    for (const block of blocks) countBlock(block, counts);
  }
  return counts;
}

function isHumanText(block: Block): boolean {
  return block.kind === "text" && block.text !== "" && !startsWithClientMarkup(block.text);
}

function countBlock(block: Block, counts: BlockCounts): void {
  if ("cache" in block && block.cache?.ttl === "1h") counts.longCache = true;
  if (block.kind === "call") counts.calls++;
  else if (block.kind === "media") countMedia(block, counts);
  else if (block.kind === "result") for (const part of block.blocks) countBlock(part, counts);
}

function countMedia({ media, source }: MediaBlock, counts: BlockCounts): void {
  // A document of plain text requires nothing of the model.
  if (source.type === "text") return;
  if (source.type === "blocks") {
    for (const part of source.blocks) countBlock(part, counts);
    return;
  }
  if (source.type === "file") counts.files++;
  switch (media) {
    case "video":
      counts.videos++;
      counts.images++;
      return;
    case "image":
      counts.images++;
      return;
    case "document":
      counts.documents++;
      return;
    case "audio":
      counts.audio++;
      return;
    default:
      media satisfies never;
  }
}

/** Whether the last message brings tool results; clients may put instructions and markup after them. */
function endsInToolResults(messages: readonly Message[]): boolean {
  const last = messages.findLast(
    (message) => message.role !== "instruction" && !isClientMessage(message),
  );
  if (last === undefined) return false;
  const { role, blocks } = last;
  // Opaque blocks: the provider paused its own tools, or the client answers one of them.
  if (role === "assistant")
    return blocks.some(({ kind }) => kind === "call") || blocks.at(-1)?.kind === "opaque";
  return (
    blocks.some(({ kind }) => kind === "result") ||
    (blocks.length > 0 && blocks.every(({ kind }) => kind === "opaque"))
  );
}

/** A user message in which the client wrote everything. */
function isClientMessage(message: Message): boolean {
  const { role, blocks } = message;
  return (
    role === "user" &&
    blocks.length > 0 &&
    blocks.every((block) => block.kind === "text") &&
    messageText(message).human === ""
  );
}

/** Whether the answer before the last ask, or the tool loop since then, contains such reasoning. */
function hasOpaqueReasoning(messages: readonly Message[]): boolean {
  let answered = false;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message === undefined || message.role === "instruction") continue;
    if (message.role === "assistant") answered = true;
    else if (answered && message.blocks.every((block) => block.kind !== "result")) return false;
    const isOpaque = message.blocks.some(
      (block) => (block.kind === "thinking" || block.kind === "call") && block.state,
    );
    if (isOpaque) return true;
  }
  return false;
}

type TextOf = (message: Message) => MessageText;

/** Messages that are searched for the ask, from the end. */
const searchedMessages = 200;
/** Characters of client text after which no more is collected. */
const maxClientText = 8192;

function findAsk(
  messages: readonly Message[],
  textOf: TextOf,
): Pick<RoutingView, "ask" | "clientText"> {
  let clientText = "";
  let confirmation = "";
  let ask: string | undefined;
  let searched = 0;
  for (let at = messages.length - 1; at >= 0 && searched < searchedMessages; at--) {
    const message = messages[at];
    // A mode that the client announced holds until the next announcement, so instructions are read to the beginning.
    if (message?.role === "instruction") {
      searched++;
      if (clientText.length < maxClientText) clientText = announcements(message) + clientText;
    }
    if (message?.role !== "user" || ask !== undefined) continue;
    searched++;
    const { human, client } = textOf(message);
    if (clientText.length < maxClientText) clientText = client + clientText;
    if (human === "") continue;
    if (!isConfirmation(human)) ask = human;
    else if (confirmation === "") confirmation = human;
  }
  return { ask: ask ?? confirmation, clientText };
}

/** Text blocks of an instruction that are read, and characters of each. */
const announcementBlocks = 12;
const announcementLength = 400;
/** Codex announces its mode in this element, which may follow other instructions. */
const modeElement = "<collaboration_mode>";
const maxSearchedInstruction = 65_536;

/** The beginnings of an instruction's blocks: clients announce their modes there. */
function announcements({ blocks }: Message): string {
  let text = "";
  for (const block of blocks.slice(0, announcementBlocks)) {
    if (block.kind !== "text") continue;
    text += `${block.text.slice(0, announcementLength)}\n`;
    const isShort = block.text.length < maxSearchedInstruction;
    const mode = isShort ? block.text.lastIndexOf(modeElement) : -1;
    if (mode > 0) text += `${block.text.slice(mode, mode + announcementLength)}\n`;
  }
  return text;
}

/** Messages that are searched for the first ask. */
const searchedForFirst = 20;

function findFirstAsk(messages: readonly Message[], textOf: TextOf): string {
  for (const message of messages.slice(0, searchedForFirst)) {
    if (message.role !== "user") continue;
    const { human } = textOf(message);
    if (human !== "") return truncateAsk(human);
  }
  return "";
}
