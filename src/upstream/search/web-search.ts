/**
 * Searches of the web for requests whose provider has none: by the searcher that the harness names, or with the honest word
 * that nobody searches. Providers that search by themselves are left to it.
 */
import type { ReplyEvent } from "../../core/events.ts";
import { invalid } from "../../core/problem.ts";
import type { ModelRequest } from "../../core/request.ts";
import { usesOfTool } from "../../core/usage.ts";
import { targetOf } from "../../providers/connection/target.ts";
import { isSearch, searchNeed } from "../../translation/web-search.ts";
import { prepare } from "../prepare.ts";
import type { Reach } from "../../store/env.ts";
import type { Ask, Layer, Upstream, WholeAnswer } from "../upstream.ts";
import { askEndpoint } from "./ask-endpoint.ts";
import { askSearcher } from "./ask-searcher.ts";
import { searchName, withSearchFunction } from "./function-tool.ts";
import { searchFormat } from "./search-format.ts";
import { SearchLoop } from "./search-loop.ts";
import { searchedAnswer } from "./searched-answer.ts";
import type { Findings, SearchQuestion } from "./searching.ts";

/** Most searches of an answer, whatever its client allows. */
const mostSearches = 10;
/** The same where a limit has to set them aside. */
export const mostHeldSearches = 5;

export const webSearch =
  (reach: Reach): Layer =>
  (next) =>
  async (ask) => {
    const asked = usesOfTool(ask.request.description.toolUses, "webSearch");
    if (asked === undefined || searchesItself(ask)) return await next(ask);
    const request = readRequest(ask);
    const need = request === undefined ? "none" : searchNeed(request);
    const tool = request?.tools.find(isSearch);
    if (request === undefined || tool === undefined || need === "none") return await next(ask);
    const searching = need === "required" ? searchFormat(ask.candidates[0]) : undefined;
    if (searching !== undefined) return await next({ ...ask, targetAs: searching });
    const search = searchFor(ask, { next, reach });
    const { held } = ask;
    if (search === undefined)
      return need === "required" ? unavailable(ask, request) : await next(ask);
    const name = searchName(request);
    const loop = new SearchLoop({
      ask,
      request: withSearchFunction(request, name, need === "required"),
      name,
      tool,
      mostSearches: Math.min(held === true ? mostHeldSearches : mostSearches, asked),
      search,
    });
    return await searchedAnswer(loop, next);
  };

/** Who answers the model's searches; undefined where nobody does. */
function searchFor(
  ask: Ask,
  { next, reach }: { readonly next: Upstream; readonly reach: Reach },
): ((question: SearchQuestion) => Promise<Findings>) | undefined {
  const { searcher, searchAddress: address } = ask;
  if (searcher !== undefined) return (question) => askSearcher(question, { ask, next, searcher });
  if (address !== undefined) return (question) => askEndpoint(question, { address, reach });
  return undefined;
}

function searchesItself({ candidates: [model], client, request }: Ask): boolean {
  return targetOf(model, client.name, request.description.stream).traits.webSearch;
}

/** Undefined where only the provider can read the request. */
function readRequest({ request }: Ask): ModelRequest | undefined {
  try {
    return request.inHub();
  } catch {
    return undefined;
  }
}

/** The model is not asked: without a search it would make up what it found. */
function unavailable(ask: Ask, request: ModelRequest): WholeAnswer {
  const begun = Date.now();
  if (request.format !== "messages")
    throw invalid(
      request.paths.choice ?? "tools",
      "this model's provider has no web search; name one that has in web_search of the key's harness",
    );
  const { choice: _, ...rest } = request;
  const plain: ModelRequest = { ...rest, tools: request.tools.filter((tool) => !isSearch(tool)) };
  const asked = {
    ...ask,
    rewritten: true,
    request: { ...ask.request, inHub: () => plain },
  } as const;
  const prepared = prepare(asked);
  return { kind: "whole", prepared, headers: {}, attempts: [], begun, events: unavailableEvents };
}

const unavailableText =
  "Web search is not available: this model's provider has none, and the key's harness names no provider that has (web_search).";

const unavailableEvents: readonly ReplyEvent[] = [
  { kind: "start" },
  {
    kind: "open",
    key: 0,
    block: {
      kind: "opaque",
      type: "web_search",
      raw: {},
      action: false,
      search: { sources: [], fault: "unavailable" },
    },
  },
  { kind: "close", key: 0 },
  { kind: "open", key: 1, block: { kind: "text" } },
  { kind: "delta", key: 1, text: unavailableText },
  { kind: "close", key: 1 },
  { kind: "usage", usage: { input: 0, output: 0 } },
  { kind: "stop", reason: "end" },
  { kind: "end" },
];
