/** Lets a model search whose provider can: one request, whose answer says what was found and where. */
import type { Reply, ReplyBlock } from "../../core/reply.ts";
import type { ModelRequest } from "../../core/request.ts";
import type { WebSource } from "../../core/web-search.ts";
import { askAside } from "../side-call.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { Ask, Upstream } from "../upstream.ts";
import { type Findings, nothingFound, type SearchQuestion } from "./searching.ts";

/** Most milliseconds of a search. */
const patience = 45_000;
/** Tokens of the searching model's answer. */
const longestAnswer = 4_096;
/** Characters of its words that are handed on, and of a query. */
const longestFindings = 16_000;
const longestQuery = 2_000;
/** Sources of a search that are handed on. */
const mostSources = 20;

export interface AskedSearcher {
  readonly ask: Ask;
  readonly next: Upstream;
  /** A model whose provider searches. */
  readonly searcher: ListedModel;
}

/** What the searcher found; a fault where it failed, or answered without having searched. */
export async function askSearcher(
  question: SearchQuestion,
  { ask, next, searcher: model }: AskedSearcher,
): Promise<Findings> {
  const request = requestFor(question, model.id);
  const { signal } = question;
  const { reply, sideCalls } = await askAside({ next, ask, model, request, signal, patience });
  const found = reply === undefined ? undefined : foundIn(reply);
  return found === undefined ? nothingFound("failed", sideCalls) : { ...found, sideCalls };
}

function requestFor({ query, tool }: SearchQuestion, model: string): ModelRequest {
  const text =
    `Search the web for: ${query.slice(0, longestQuery)}\n\n` +
    "Report the facts that you find, as plain text, with the address of the page behind each of them. " +
    "Say so if you find nothing.";
  return {
    format: "messages",
    model,
    stream: false,
    wantsUsage: true,
    messages: [{ role: "user", blocks: [{ kind: "text", text }] }],
    tools: [tool],
    choice: { type: "auto" },
    maxOutput: longestAnswer,
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
  };
}

/** Undefined where nothing shows that there was a search: a model's own words are no findings. */
function foundIn({ blocks, usage }: Reply): Omit<Findings, "sideCalls"> | undefined {
  const sources = uniqueSources(blocks.flatMap(sourcesOf)).slice(0, mostSources);
  const searched = blocks.some((block) => block.kind === "opaque" && block.search !== undefined);
  if (!searched && sources.length === 0 && usage.toolUses?.webSearch === undefined)
    return undefined;
  const text = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("");
  return { text: text.slice(0, longestFindings).toWellFormed(), sources };
}

function sourcesOf(block: ReplyBlock): WebSource[] {
  if (block.kind === "opaque") return [...(block.search?.sources ?? [])];
  if (block.kind !== "text") return [];
  return block.citations.flatMap(({ url, title, text }) =>
    url === undefined
      ? []
      : [{ url, ...(title !== undefined && { title }), ...(text !== undefined && { text }) }],
  );
}

/** One for each page; what a later mention adds is kept. */
function uniqueSources(sources: readonly WebSource[]): WebSource[] {
  const byUrl = new Map<string, WebSource>();
  for (const source of sources) byUrl.set(source.url, { ...source, ...byUrl.get(source.url) });
  return [...byUrl.values()];
}
