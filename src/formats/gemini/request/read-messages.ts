/** The conversation of a Gemini request. */
import type { Block, Message } from "../../../core/request.ts";
import { invalid } from "../../../core/problem.ts";
import { asFilledString, isObject } from "../../../lib/json.ts";
import { appendAll, flatMapped } from "../../../lib/lists.ts";
import { callHistory, type CallHistory } from "./read-calls.ts";
import { readPart } from "./read-content.ts";
import { asList, membersOf, type Members } from "./read-members.ts";
import { pairThoughts } from "./read-thinking.ts";

const contentMembers = new Set(["role", "parts"]);

/** `request`: the body. */
export function readMessages(request: Members, unsupported: Set<string>): Message[] {
  const contents = request.each("contents");
  const history = callHistory(() => givenIds(contents));
  const messages: Message[] = readInstructions(request, unsupported, history);
  for (const content of contents) {
    content.noteOthers(contentMembers);
    const role = content.get("role") === "model" ? "assistant" : "user";
    const blocks = flatMapped(content.each("parts"), (part) => readPart(part, { role, history }));
    const last = messages.at(-1);
    // Clients that stream keep one content for each piece.
    if (role === "assistant" && last?.role === "assistant") appendAll(last.blocks, blocks);
    else messages.push({ role, blocks });
  }
  return messages.map(asWhole);
}

/** What the model said in pieces is one text again, and its thoughts get their states back. */
function asWhole(message: Message): Message {
  if (message.role !== "assistant") return message;
  const joined: Block[] = [];
  for (const block of message.blocks) {
    const last = joined.at(-1);
    const both = last && joinedBlock(last, block);
    if (both) joined[joined.length - 1] = both;
    else joined.push(block);
  }
  return { ...message, blocks: pairThoughts(joined) };
}

/** One block for both, where the second goes on with the first. */
function joinedBlock(first: Block, second: Block): Block | undefined {
  if (first.kind === "text" && second.kind === "text")
    return { kind: "text", text: first.text + second.text };
  const isThought = first.kind === "thinking" && second.kind === "thinking";
  if (!isThought || first.text === "" || second.text === "" || first.state) return undefined;
  return { ...second, text: first.text + second.text };
}

/** All ids that the client uses: made ones must be none of them. */
function givenIds(contents: readonly Members[]): Set<string> {
  const ids = new Set<string>();
  for (const content of contents)
    for (const part of content.each("parts"))
      for (const name of ["functionCall", "functionResponse"]) {
        const id = asFilledString(part.inside(name)?.get("id"));
        if (id !== undefined) ids.add(id);
      }
  return ids;
}

/** A content, its parts, one part or a text alone. The role means nothing here. */
function readInstructions(
  request: Members,
  unsupported: Set<string>,
  history: CallHistory,
): Message[] {
  const value = request.get("systemInstruction");
  if (value === undefined) return [];
  const path = request.pathOf("systemInstruction");
  const blocks = asList(value).flatMap((item): Block[] => {
    if (typeof item === "string") return [{ kind: "text", text: item }];
    if (!isObject(item)) throw invalid(path, "must be a Content, a list of parts or a string");
    const at = membersOf(item, { path: Array.isArray(value) ? `${path}[]` : path, unsupported });
    return instructionBlocks(at, history);
  });
  return blocks.length === 0 ? [] : [{ role: "instruction", voice: "system", top: true, blocks }];
}

function instructionBlocks(content: Members, history: CallHistory): Block[] {
  const parts = content.get("parts");
  const surroundings = { role: "instruction", history } as const;
  if (parts === undefined) return readPart(content, surroundings);
  content.noteOthers(contentMembers);
  const texts = asList(parts).filter((part) => typeof part === "string");
  return [
    ...texts.map((text): Block => ({ kind: "text", text })),
    ...content.each("parts").flatMap((part) => readPart(part, surroundings)),
  ];
}
