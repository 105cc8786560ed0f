/** Asks a provider for its model list. */
import type { FormatName } from "../../core/format-name.ts";
import type { Failure } from "../../core/failure.ts";
import type { ModelInfo } from "../../core/model.ts";
import { isObject, parseJson, type JsonValue } from "../../lib/json.ts";
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
import { readListPage } from "./list-reader.ts";
import { maskSecrets } from "../connection/mask.ts";
import { readTextWithin } from "../connection/read-text.ts";
import { endpointsOf } from "../connection/target.ts";

export type ListAnswer =
  | { ok: true; status: number; models: ModelInfo[] }
  | { ok: false; failure: Failure };

/** Bounds of one page: bytes, milliseconds; and of the whole list. */
const pageCap = 16 * 1024 * 1024;
const pageTime = 10_000;
const mostPages = 20;
const mostModels = 5000;

/** All pages of the list, or why there is none. Its messages hold no secrets. */
export async function fetchList(
  connection: Connection,
  credentials: Credentials,
  reach: Reach,
): Promise<ListAnswer> {
  const record = recordFor(connection);
  if (record.inProcess === true)
    return { ok: true, status: 200, models: [...(record.models ?? [])] };
  const spec: ListSpec = record.list === false ? {} : record.list;
  const url = listUrl(connection, spec, reach);
  const models = new Map<string, ModelInfo>();
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await fetchPage(
      url,
      listHeaders(connection, spec, credentials),
      secretsOf(credentials),
    );
    if (!answer.ok) return answer;
    const read = readListPage(answer.body, spec);
    if (read === undefined)
      return failed({
        cause: "wrong_type",
        status: 502,
        message: "The answer is not a list of models.",
      });
    for (const info of read.models) if (models.size < mostModels) models.set(info.id, info);
    if (read.next === undefined) break;
    for (const [name, value] of Object.entries(read.next)) url.searchParams.set(name, value);
  }
  return { ok: true, status: 200, models: [...models.values()] };
}

function listUrl(connection: Connection, spec: ListSpec, reach: Reach): URL {
  const root =
    connection.entry.base_url === undefined
      ? (spec.base ?? connection.baseUrl)
      : connection.baseUrl;
  const url = checkBaseUrl(root, reach);
  const [path = "", query] = (spec.path ?? "/models").split("?", 2);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
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

type PageAnswer = { ok: true; body: JsonValue } | { ok: false; failure: Failure };

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
    const text = await readTextWithin(response, { cap: pageCap, time: pageTime });
    const body = parseJson(text);
    if (response.status >= 300 && response.status < 400)
      return failed({
        cause: "redirect",
        status: 502,
        message: "The provider answered with a redirect.",
      });
    if (!response.ok)
      return failed({
        cause: "status",
        status: response.status,
        message: maskSecrets(errorMessage(body, text), secrets),
      });
    if (body === undefined)
      return failed({
        cause: "wrong_type",
        status: 502,
        message: "The answer is not a list of models.",
      });
    return { ok: true, body };
  } catch (error) {
    return { ok: false, failure: connectionFailure(error, controller.signal) };
  } finally {
    clearTimeout(timer);
  }
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
