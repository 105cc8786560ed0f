/** Lets a model search whose provider can: one request, whose answer says what was found and where. */
import type { Reply, ReplyBlock } from "../../core/reply.ts";
import type { ModelRequest } from "../../core/request.ts";
import type { WebSource } from "../../core/web-search.ts";
import { askAside, plainRequest } from "../side-call.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { Ask, Upstream } from "../upstream.ts";
import { searchFormat } from "./search-format.ts";
import { type Findings, nothingFound, type SearchQuestion } from "./searching.ts";
import { handedOn } from "./sources.ts";

/** Most milliseconds of a search. */
const patience = 45_000;
/** Tokens of the searching model's answer at most. */
export const longestReport = 4_096;
/** Searches that the searching model may make for one that it is asked for, where its provider can be told. */
export const searchesOfCall = 3;
/** Characters of its words that are handed on, and of a query. */
const longestFindings = 16_000;
const longestQuery = 2_000;

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
  const request = requestFor(question, model);
  const { signal, booked } = question;
  const toolUses = { webSearch: searchesOfCall };
  const asked = { next, ask, model, request, signal, patience, booked, toolUses };
  const reply = await askAside(asked);
  return (reply && foundIn(reply)) ?? nothingFound("failed");
}

function requestFor({ query, tool }: SearchQuestion, model: ListedModel): ModelRequest {
  const text =
    `Search the web for: ${query.slice(0, longestQuery)}\n\n` +
    "Report the facts that you find, as plain text, with the address of the page behind each of them. " +
    "Say so if you find nothing.";
  return plainRequest({
    format: searchFormat(model) ?? "messages",
    model: model.id,
    messages: [{ role: "user", blocks: [{ kind: "text", text }] }],
    tools: [{ ...tool, raw: { ...tool.raw, max_uses: searchesOfCall } }],
    choice: { type: "auto" },
    maxOutput: longestReport,
  });
}

/** Undefined where nothing shows that there was a search: a model's own words are no findings. */
function foundIn({ blocks, usage }: Reply): Findings | undefined {
  const sources = handedOn(blocks.flatMap(sourcesOf));
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
