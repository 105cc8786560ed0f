/** How many messages, blocks, tools and calls a request may have: translating each takes time that others wait for. */
import { invalid } from "./problem.ts";

/**
 * Sessions of coding agents have up to a few hundred messages and some thousand at most, and the widest windows of
 * models (two million tokens) have no room for as many that say something. Anthropic's tool search takes the most tools,
 * 10,000, and OpenAI embeds 2,048 texts at once. Within these bounds no request holds up others for longer than a quarter
 * of a second.
 */
const most = { messages: 10_000, items: 20_000, blocks: 20_000, tools: 10_000, texts: 10_000 };

/** Throws M300 for a list of more entries than a request may have of them. Anything else is for others to check. */
export function checkCount(
  list: unknown,
  path: string,
  kind: "messages" | "items" | "tools" | "texts",
): void {
  if (Array.isArray(list) && list.length > most[kind])
    throw invalid(path, `must not have more than ${most[kind].toLocaleString("en-US")} entries`);
}

/** Counts the blocks of all messages of one request: parts of contents and results, calls among them. */
export class BlockCount {
  #blocks = 0;

  /** Counts the entries of a list, if it is one. Throws M300 that names the list where there are too many in all. */
  add(list: unknown, path: string): void {
    if (!Array.isArray(list)) return;
    this.#blocks += list.length;
    if (this.#blocks <= most.blocks) return;
    const words = most.blocks.toLocaleString("en-US");
    throw invalid(path, `a request must not have more than ${words} blocks and calls in all`);
  }
}
