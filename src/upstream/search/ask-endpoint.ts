/** Asks a search endpoint of the user's own: one GET, whose JSON answer lists pages. */
import type { WebSource } from "../../core/web-search.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonValue,
} from "../../lib/json.ts";
import { checkBaseUrl } from "../../providers/connection/address.ts";
import { keepsItsServer } from "../../store/document.ts";
import { readTextWithin } from "../../providers/connection/read-text.ts";
import type { Reach } from "../../store/env.ts";
import { readWebSearch } from "../../translation/web-search.ts";
import { type Findings, nothingFound, type SearchQuestion } from "./searching.ts";
import { handedOn } from "./sources.ts";

/** Most milliseconds and bytes of an answer. */
const patience = 20_000;
const longestAnswer = 1024 * 1024;
/** Characters of what an answer says of a page. */
const longestText = 2_000;

export interface SearchEndpoint {
  /** With `{query}` where the words to search for go. */
  readonly address: string;
  /** Where addresses must be public, private ones are refused here again. */
  readonly reach: Reach;
}

/** Never throws: an answer does not fail for a search that does. */
export async function askEndpoint(
  question: SearchQuestion,
  { address, reach }: SearchEndpoint,
): Promise<Findings> {
  const { query, signal } = question;
  // Kept from before such addresses were refused.
  if (!keepsItsServer(address)) return nothingFound("failed");
  try {
    const { href } = checkBaseUrl(address.replaceAll("{query}", encodeURIComponent(query)), reach);
    const response = await fetch(href, {
      headers: { accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    const text = await readTextWithin(response, { cap: longestAnswer, time: patience });
    const answer = response.ok ? parseJson(text) : undefined;
    if (answer === undefined) return nothingFound("failed");
    return { text: "", sources: sourcesIn(answer, question) };
  } catch {
    // The address is refused, nobody answers, or the client left.
    return nothingFound("failed");
  }
}

function sourcesIn(answer: JsonValue, { tool }: SearchQuestion): WebSource[] {
  const { allowed, blocked } = readWebSearch(tool, ["allowed", "blocked"], new Set());
  const isWanted = ({ url }: WebSource): boolean =>
    (allowed === undefined || allowed.some((domain) => isWithin(url, domain))) &&
    blocked?.some((domain) => isWithin(url, domain)) !== true;
  return handedOn(pagesIn(answer).flatMap(sourceOf).filter(isWanted));
}

/** SearXNG and Tavily say `results`, Brave `web.results`, Google `items`, Serper `organic`. */
function pagesIn(answer: JsonValue): readonly JsonValue[] {
  if (!isObject(answer)) return asArray(answer);
  const lists = [
    answer["results"],
    asObject(answer["web"])?.["results"],
    answer["items"],
    answer["organic"],
  ];
  return asArray(lists.find((list) => Array.isArray(list)));
}

function sourceOf(page: JsonValue): WebSource[] {
  if (!isObject(page)) return [];
  const url = asString(page["url"]) ?? asString(page["link"]);
  const title = asString(page["title"]);
  const text =
    asString(page["content"]) ?? asString(page["snippet"]) ?? asString(page["description"]);
  if (url === undefined) return [];
  return [
    {
      url,
      ...(title !== undefined && { title }),
      ...(text !== undefined && { text: text.slice(0, longestText).toWellFormed() }),
    },
  ];
}

/** A domain stands for its subdomains too; a path behind it is not read. */
function isWithin(url: string, domain: JsonValue): boolean {
  if (typeof domain !== "string" || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const [name = ""] = domain.toLowerCase().split("/", 1);
  return hostname === name || hostname.endsWith(`.${name}`);
}
