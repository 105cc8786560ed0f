/** One bounded view of a request for all stages of routing: what the human asked last, and the shape round it. */
import type { Block, MediaBlock, Message, ModelRequest } from "../core/request.ts";
import { beginsWrapped, stripEnvelopes } from "./strip.ts";

export interface View {
  /** The last human ask, envelopes stripped, at most `askLimit` characters. */
  ask: string;
  /** The first human ask, for the conversation's key. */
  opening: string;
  /** Human messages, tool results not counted. */
  asks: number;
  /** Tools that the model is offered. */
  tools: number;
  /** Tool calls so far. */
  calls: number;
  images: number;
  documents: number;
  audio: number;
  /** Characters of the instructions. */
  instructions: number;
  /** What the client put round the last ask: bounded, for the client's own signs only. */
  envelope: string;
  /** The last message brings results of tools. */
  afterResults: boolean;
  /** The last answer holds reasoning that only its maker can read. */
  opaque: boolean;
  /** The client keeps its prefix in the provider's cache for an hour or longer. */
  longCache: boolean;
}

/** Characters of the ask that are read: 60 % from its head, 40 % from its tail. */
export const askLimit = 3000;
const askHead = 1800;
/** User messages that are searched for the ask. */
const searched = 200;

/** Reads the view off a request. Cost depends on the number of blocks, not on their length. */
export function viewOf(turn: ModelRequest): View {
  const view = countMessages(turn.messages);
  const read = readerOf();
  const found = findAsk(turn.messages, read);
  return {
    ...view,
    ask: clip(found.ask),
    envelope: found.envelope,
    opening: openingOf(turn.messages, read),
    tools: turn.tools.filter((tool) => tool.kind !== "function" || tool.deferred !== true).length,
  };
}

type Counts = Omit<View, "ask" | "envelope" | "opening" | "tools">;

function countMessages(messages: readonly Message[]): Counts {
  const counts: Counts = {
    asks: 0,
    calls: 0,
    images: 0,
    documents: 0,
    audio: 0,
    instructions: 0,
    afterResults: false,
    opaque: false,
    longCache: false,
  };
  for (const message of messages) {
    if (message.role === "user" && message.blocks.some(isHuman)) counts.asks++;
    for (const block of message.blocks) countBlock(block, message, counts);
  }
  counts.afterResults = endsInResults(messages);
  counts.opaque = holdsState(messages);
  return counts;
}

/** A user's message that a program wrote as a whole. */
function isWrapped(message: Message): boolean {
  const { role, blocks } = message;
  return (
    role === "user" &&
    blocks.length > 0 &&
    blocks.every((block) => block.kind === "text") &&
    humanWords(message).words === ""
  );
}

function isHuman(block: Block): boolean {
  return block.kind === "text" && block.text !== "" && !beginsWrapped(block.text);
}

/** The last message brings results; a client may put instructions and envelopes of its own behind them. */
function endsInResults(messages: readonly Message[]): boolean {
  const last = messages.findLast(
    (message) => message.role !== "instruction" && !isWrapped(message),
  );
  if (last === undefined) return false;
  const { role, blocks } = last;
  // What only its provider reads: a turn of its own tools that it paused, or an answer to one of them.
  if (role === "assistant")
    return blocks.some(({ kind }) => kind === "call") || blocks.at(-1)?.kind === "opaque";
  return (
    blocks.some(({ kind }) => kind === "result") ||
    (blocks.length > 0 && blocks.every(({ kind }) => kind === "opaque"))
  );
}

function countBlock(block: Block, message: Message, counts: Counts): void {
  if ("cache" in block && block.cache?.ttl === "1h") counts.longCache = true;
  if (block.kind === "call") counts.calls++;
  else if (block.kind === "media") countMedia(block, message, counts);
  else if (block.kind === "text" && message.role === "instruction")
    counts.instructions += block.text.length;
  else if (block.kind === "result")
    for (const part of block.blocks) countBlock(part, message, counts);
}

function countMedia(block: MediaBlock, message: Message, counts: Counts): void {
  const { media, source } = block;
  // A document of plain words asks nothing of a model that reads words.
  if (source.type === "text") return;
  if (source.type === "blocks") {
    for (const part of source.blocks) countBlock(part, message, counts);
    return;
  }
  switch (media) {
    case "image":
    case "video":
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

/** Whether the answer before the last human words, or the loop that runs, holds such reasoning. */
function holdsState(messages: readonly Message[]): boolean {
  let answered = false;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message === undefined || message.role === "instruction") continue;
    if (message.role === "assistant") answered = true;
    else if (answered && message.blocks.every((block) => block.kind !== "result")) return false;
    if (
      message.blocks.some(
        (block) => (block.kind === "thinking" || block.kind === "call") && block.state,
      )
    )
      return true;
  }
  return false;
}

const envelopeLimit = 8192;

/** Parts of an instruction that are looked at, and characters of each. */
const announcedParts = 12;
const announcedHead = 400;
/** An element of one client in which modes are announced; it may stand behind other instructions. */
const modeElement = "<collaboration_mode>";
const searchedInstruction = 65_536;

/** How the parts of an instruction begin: modes are announced there. */
function headsOf(message: Message): string {
  let heads = "";
  for (const block of message.blocks.slice(0, announcedParts)) {
    if (block.kind !== "text") continue;
    heads += `${block.text.slice(0, announcedHead)}\n`;
    const mode = block.text.length < searchedInstruction ? block.text.lastIndexOf(modeElement) : -1;
    if (mode > 0) heads += `${block.text.slice(mode, mode + announcedHead)}\n`;
  }
  return heads;
}

type Reader = typeof humanWords;

/** Reads a message once when it is asked for twice in a row: mostly the only ask is the opening too. */
function readerOf(): Reader {
  let last: { message: Message; read: ReturnType<Reader> } | undefined;
  return (message) => {
    if (last?.message !== message) last = { message, read: humanWords(message) };
    return last.read;
  };
}

function findAsk(messages: readonly Message[], read: Reader): { ask: string; envelope: string } {
  let envelope = "";
  let followUp = "";
  let ask: string | undefined;
  let looked = 0;
  for (let at = messages.length - 1; at >= 0 && looked < searched; at--) {
    const message = messages[at];
    // A mode that was announced to the model holds until the next announcement, however long ago.
    if (message?.role === "instruction") {
      looked++;
      if (envelope.length < envelopeLimit) envelope = headsOf(message) + envelope;
    }
    if (message?.role !== "user" || ask !== undefined) continue;
    looked++;
    const { words, wrapped } = read(message);
    if (envelope.length < envelopeLimit) envelope = wrapped + envelope;
    if (words === "") continue;
    // "yes", "go on": the work asked for is the one before.
    if (!isFollowUp(words)) ask = words;
    else if (followUp === "") followUp = words;
  }
  return { ask: ask ?? followUp, envelope };
}

/** Characters of one message that are searched for its author's words. */
const messageBudget = 65_536;

/** What the author wrote, without envelopes; and the beginning of these. */
export function humanWords(message: Message): { words: string; wrapped: string } {
  const words: string[] = [];
  let wrapped = "";
  let budget = messageBudget;
  const texts = message.blocks.filter((block) => block.kind === "text");
  for (const [at, block] of texts.entries()) {
    // What is asked mostly stands at the end: the last text is always read.
    if (budget <= 0 && at < texts.length - 1) continue;
    budget -= block.text.length;
    const text = stripEnvelopes(block.text);
    if (text.length < block.text.length && wrapped.length < 4096)
      wrapped += aroundWords(block.text, text);
    if (text !== "") words.push(text);
  }
  return { words: words.join("\n"), wrapped };
}

/** Characters of words by which their place in a text is found, where it is sought, and what is kept of an envelope. */
const placeMark = 64;
const placeWindow = 32_768;
const keptEnvelope = 2048;

/** What stands before and behind the words in the text that they were taken from: no word of the author's. */
function aroundWords(text: string, words: string): string {
  if (words === "") return text.slice(0, keptEnvelope);
  const begin = text.slice(0, placeWindow).indexOf(words.slice(0, placeMark));
  const before = text.slice(0, Math.min(Math.max(begin, 0), keptEnvelope));
  const tail = text.slice(-placeWindow);
  const last = words.slice(-placeMark);
  const end = tail.lastIndexOf(last);
  const behind = end < 0 ? "" : tail.slice(end + last.length).slice(0, keptEnvelope);
  return `${before}\n${behind}`;
}

const followUps = new Set(
  `yes y yep ok okay k sure go continue go_on go_ahead proceed do_it yes_please please_do next more again retry try_again
  thanks oui ja sí si sim да так 是 好 好的 继续 はい 続けて 네 계속 نعم हाँ evet tak tiếp ya ใช่ weiter continuer continúa
  continua ga_door продолжай dalej lanjut devam`
    .split(/\s+/)
    .map((word) => word.replaceAll("_", " ")),
);

function isFollowUp(words: string): boolean {
  if (words.length > 24) return false;
  return followUps.has(
    words
      .toLowerCase()
      .replace(/[\s.!?。！？,]+$/u, "")
      .trim(),
  );
}

/** At most `askLimit` characters: head and tail. */
export function clip(text: string): string {
  if (text.length <= askLimit) return text;
  return `${text.slice(0, askHead)}\n${text.slice(askHead - askLimit)}`;
}

function openingOf(messages: readonly Message[], read: Reader): string {
  for (const message of messages.slice(0, 20)) {
    if (message.role !== "user") continue;
    const { words } = read(message);
    if (words !== "") return clip(words);
  }
  return "";
}
