/** Asks a provider for its model list. */
import { withoutEnd } from "../../lib/trim-end.ts";
import type { FormatName } from "../../core/format-name.ts";
import type { Failure } from "../../core/failure.ts";
import type { ModelInfo } from "../../core/model.ts";
import { readWithin, TooLong } from "../../lib/bounded-read.ts";
import { byteReader } from "../../lib/bytes.ts";
import { jsonSize, type JsonBounds } from "../../lib/json-size.ts";
import { deepestJson, isObject, parseJson, type JsonValue } from "../../lib/json.ts";
import type { Reach } from "../../store/env.ts";
import { checkBaseUrl } from "../connection/address.ts";
import type { ListSpec } from "../catalogue/record.ts";
import { recordFor, type Connection } from "../connection/connection.ts";
import {
  addEntryHeaders,
  fixedHeaders,
  secretsOf,
  type Credentials,
} from "../connection/credentials.ts";
import { connectionFailure, TimedOut } from "../connection/failures.ts";
import { readListPage, type ListShape } from "./list-reader.ts";
import { maskSecrets } from "../connection/mask.ts";
import { readTextWithin } from "../connection/read-text.ts";
import { endpointsOf } from "../connection/target.ts";

export type ListAnswer =
  /** `left`: how many more models the list names than are kept. */
  | { ok: true; status: number; models: ModelInfo[]; left: number; shape: ListShape | undefined }
  /** `location`: where a redirect leads; `cap`: the bytes that a page of the list had more of. */
  | { ok: false; failure: Failure; location?: string; cap?: number };

/** Bounds of one page: bytes (of an error's less), milliseconds; and how many pages are read. */
const pageCap = 8 * 1024 * 1024;
/** Of one page: a hundred values for each model that is kept. */
const largestPage: JsonBounds = {
  depth: deepestJson,
  values: 500_000,
  names: 500_000,
  members: 50_000,
};
const errorCap = 64 * 1024;
const pageTime = 10_000;
const mostPages = 20;
/** Of a list so many models are kept, and so many bytes of JSON: a value of `npm start`'s KV has at most 2 MB. */
const mostModels = 5000;
const mostKept = 1_500_000;

/** All pages of the list, or why there is none. Its messages hold no secrets. */
export async function fetchList(
  connection: Connection,
  credentials: Credentials,
  reach: Reach,
): Promise<ListAnswer> {
  const record = recordFor(connection);
  if (record.inProcess === true)
    return { ok: true, status: 200, models: [...(record.models ?? [])], left: 0, shape: undefined };
  const spec: ListSpec = record.list === false ? {} : record.list;
  const url = listUrl(connection, spec, reach);
  const kept = keptModels();
  let shape: ListShape | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await fetchPage(
      url,
      listHeaders(connection, spec, credentials),
      secretsOf(credentials),
    );
    if (!answer.ok) return answer;
    const read = readListPage(answer.body, spec);
    if (read === undefined) return noList(notAList);
    shape ??= read.shape;
    for (const info of read.models) kept.add(info);
    if (read.next === undefined) break;
    for (const [name, value] of Object.entries(read.next)) url.searchParams.set(name, value);
  }
  return { ok: true, status: 200, ...kept.list(), shape };
}

/** The first models of a list, as many as fit. */
function keptModels(): {
  add(info: ModelInfo): void;
  list(): { models: ModelInfo[]; left: number };
} {
  const models = new Map<string, ModelInfo>();
  const encoder = new TextEncoder();
  let bytes = 0;
  let left = 0;
  return {
    add(info) {
      if (models.has(info.id)) return;
      const size = encoder.encode(JSON.stringify(info)).length;
      if (models.size >= mostModels || bytes + size > mostKept) {
        left += 1;
        return;
      }
      bytes += size;
      models.set(info.id, info);
    },
    list: () => ({ models: [...models.values()], left }),
  };
}

/** Where the list is asked for. Throws M303 and M300 for an address that may not be called. */
export function listAddress(connection: Connection, reach: Reach): URL {
  const { list } = recordFor(connection);
  return listUrl(connection, list === false ? {} : list, reach);
}

function listUrl(connection: Connection, spec: ListSpec, reach: Reach): URL {
  const root =
    connection.entry.base_url === undefined
      ? (spec.base ?? connection.baseUrl)
      : connection.baseUrl;
  const url = checkBaseUrl(root, reach);
  const [path = "", query] = (spec.path ?? "/models").split("?", 2);
  url.pathname = withoutEnd(url.pathname, "/") + path;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url;
}

function listHeaders(connection: Connection, spec: ListSpec, credentials: Credentials): Headers {
  const format: FormatName = spec.as ?? endpointsOf(connection)[0]?.format ?? "chat";
  const headers = new Headers(fixedHeaders(connection, format, credentials.secret));
  headers.set("accept", "application/json");
  headers.set("user-agent", "routing-gateway");
  addEntryHeaders(headers, connection, credentials.secretHeaders);
  return headers;
}

type PageAnswer = { ok: true; body: JsonValue } | Extract<ListAnswer, { ok: false }>;

async function fetchPage(
  url: URL,
  headers: Headers,
  secrets: readonly string[],
): Promise<PageAnswer> {
  const controller = new AbortController();
  const tooLate = new TimedOut("its list", pageTime / 1000);
  const timer = setTimeout(() => controller.abort(tooLate), pageTime);
  try {
    const response = await fetch(url, { headers, redirect: "manual", signal: controller.signal });
    if (response.status >= 300 && response.status < 400) {
      // Nothing of a redirect is read, nor does it matter how its connection ends.
      await response.body?.cancel().catch(() => undefined);
      const failure = {
        cause: "redirect",
        status: 502,
        message: "The provider answered with a redirect.",
      } as const;
      const location = redirectTarget(response.headers.get("location") ?? "", url);
      return { ok: false, failure, ...(location !== undefined && { location }) };
    }
    if (!response.ok) return await errorPage(response, secrets);
    return await listPage(response);
  } catch (error) {
    return { ok: false, failure: connectionFailure(error, controller.signal) };
  } finally {
    clearTimeout(timer);
  }
}

/** Where a redirect leads; undefined where that is no server. */
function redirectTarget(to: string, from: URL): string | undefined {
  if (!URL.canParse(to, from.href)) return undefined;
  const target = new URL(to, from);
  return /^https?:$/.test(target.protocol) ? target.href : undefined;
}

async function errorPage(
  response: Response,
  secrets: readonly string[],
): Promise<Extract<PageAnswer, { ok: false }>> {
  const text = await readTextWithin(response, { cap: errorCap, time: pageTime });
  const message = maskSecrets(errorMessage(parseJson(text), text), secrets);
  return failed({ cause: "status", status: response.status, message });
}

async function listPage(response: Response): Promise<PageAnswer> {
  const reader = response.body === null ? undefined : byteReader(response.body);
  try {
    const bytes = reader && (await readWithin(reader, { cap: pageCap }));
    const text = new TextDecoder().decode(bytes);
    if (text.trimStart().startsWith("<")) return webPage();
    // Counted before they are parsed: two bytes of JSON may take fifty of memory.
    if (jsonSize(text, largestPage).over !== undefined) return noList(notAList);
    const body = parseJson(text);
    return body === undefined ? noList(notJson(text)) : { ok: true, body };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    // The rest is of no interest, nor how the connection ends.
    reader?.cancel().catch(() => undefined);
    return { ...noList("The list of models is too large."), cap: pageCap };
  }
}

const notAList = "The answer is not a list of models.";

function notJson(text: string): string {
  return text.trim() === "" ? "The answer is empty." : "The answer is not valid JSON.";
}

function webPage(): { ok: false; failure: Failure } {
  return failed({ cause: "html", status: 502, message: "The answer is a web page, not JSON." });
}

function noList(message: string): { ok: false; failure: Failure } {
  return failed({ cause: "wrong_type", status: 502, message });
}

function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}

const longestMessage = 500;

/** The message of an error body of any format, else its text, unless that is a web page. */
function errorMessage(body: JsonValue | undefined, text: string): string {
  const first = Array.isArray(body) ? body[0] : body;
  const error = isObject(first) ? (first["error"] ?? first) : undefined;
  const said = isObject(error) ? error["message"] : error;
  if (typeof said === "string" && said !== "") return said.slice(0, longestMessage);
  const plain = text.trimStart().startsWith("<") ? "" : text.trim();
  return plain === "" ? "The provider gave no reason." : plain.slice(0, longestMessage);
}
