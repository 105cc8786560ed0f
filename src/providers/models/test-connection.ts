/** Whether a configured provider can be reached and takes its credential. */
import { elapsed } from "../../lib/clock.ts";
import { withoutEnd } from "../../lib/trim-end.ts";
import type { ProviderFormatName } from "../../core/format-name.ts";
import type { Failure } from "../../core/failure.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import type { Reach } from "../../store/env.ts";
import { keyFault } from "../connection/api-key.ts";
import {
  connectionOf,
  recordFor,
  trimmed,
  type Connection,
  type ListedModel,
} from "../connection/connection.ts";
import { lacksCredential, type Credentials } from "../connection/credentials.ts";
import type { ServerCheck } from "../connection/server-check.ts";
import { endpointsOf } from "../connection/target.ts";
import { fetchList, listAddress, type ListAnswer } from "./fetch-list.ts";
import { listed, modelsOf } from "./models.ts";
import { newestFirst } from "./newest-first.ts";
import { faultOf, type TestFault } from "./test-fault.ts";

/** What a test may reach, and who looks where nothing answers. */
export interface Testing {
  readonly reach: Reach;
  readonly check: ServerCheck;
}

/** What a test found. `status`: of the provider's answer, or what the failure counts as; `ms`: how long it took. */
export type ConnectionTest = { readonly status: number; readonly ms: number } & TestOutcome;

type TestOutcome =
  | {
      readonly ok: true;
      /** What it serves, newest first, with prices. */
      readonly models: readonly ListedModel[];
      readonly message: string;
    }
  | { readonly ok: false; readonly fault: TestFault };

/** Asks the provider for its model list. */
export async function testProvider(
  connection: Connection,
  credentials: Credentials,
  testing: Testing,
): Promise<ConnectionTest> {
  const began = Date.now();
  const outcome = await ask({ connection, credentials, testing });
  return { ...outcome, ms: elapsed(began, Date.now()) };
}

interface Tested {
  readonly connection: Connection;
  readonly credentials: Credentials;
  readonly testing: Testing;
}

type Asked = { readonly status: number } & TestOutcome;

async function ask(tested: Tested): Promise<Asked> {
  const { connection, credentials, testing } = tested;
  if (lacksCredential(connection, credentials.secret))
    return failing(401, { cause: "key_missing", field: "api_key", message: "Enter the API key." });
  const wrongKey = keyFaultOf(tested);
  if (wrongKey !== undefined) return failing(401, { ...wrongKey, field: "api_key" });
  try {
    const answer = await fetchList(connection, credentials, testing.reach);
    return answer.ok ? await worked(answer, tested) : await failedCall(answer, tested);
  } catch (error) {
    if (error instanceof Problem) return failing(error.status, entryFault(error));
    throw error;
  }
}

function failing(status: number, fault: TestFault): Asked {
  return { ok: false, status, fault };
}

/** A private relay may want any key. */
function keyFaultOf({ connection, credentials }: Tested) {
  const { kind, entry } = connection;
  if (credentials.secret === undefined) return undefined;
  const fault = keyFault(credentials.secret, kind);
  const isOwn = kind === "custom" || entry.base_url !== undefined;
  return fault?.cause === "key_of_other" && isOwn ? undefined : fault;
}

/** The fault that a refused entry has: its message begins with the member. */
export function entryFault({ message, marker }: Problem): TestFault {
  const [, member, words] = /^(\w+): (.*)$/s.exec(message) ?? [];
  const cause = marker === problemCodes.privateAddress ? "private_address" : "entry";
  if (member === undefined || words === undefined) return { cause, message };
  return { cause, field: member, message: `${words.charAt(0).toUpperCase()}${words.slice(1)}.` };
}

/** Why a model that was asked gave no answer. Its provider's list was read before. */
export async function firstAnswerFault(failure: Failure, tested: Tested): Promise<TestFault> {
  const { connection } = tested;
  const fault = await faultOfCall({ failure }, tested);
  const { status, message } = failure;
  const isAsked = failure.cause === "status" && ![401, 402, 403, 429].includes(status);
  if (!isAsked || status >= 500 || fault.cause === "no_credit") return fault;
  const kind = connection.kind === "custom" && status !== 400;
  const hint = kind ? " Or the endpoint uses another format." : "";
  return {
    cause: "model",
    field: "model",
    message: `This model did not answer (HTTP ${status}). The provider says: “${message.slice(0, 300)}” Choose another model.${hint}`,
  };
}

async function worked(answer: Extract<ListAnswer, { ok: true }>, tested: Tested): Promise<Asked> {
  const { connection } = tested;
  const other = otherFormat(connection, answer.shape);
  if (other !== undefined) return failing(answer.status, wrongFormat(other));
  const now = Date.now();
  const infos = modelsOf(connection, { models: answer.models, at: now }, now);
  const models = newestFirst(infos.map((info) => listed(connection, info)));
  return { ok: true, status: answer.status, models, message: answeredMessage(answer) };
}

function answeredMessage({ models, left }: { models: readonly unknown[]; left: number }): string {
  if (left === 0) return "The provider answered.";
  const all = models.length + left;
  return `The provider answered. It lists ${all} models; the first ${models.length} are used.`;
}

/** The format that the list speaks for, where the entry names another. Many servers list their models as OpenAI does. */
function otherFormat(
  { kind, entry }: Connection,
  shape: Extract<ListAnswer, { ok: true }>["shape"],
): ProviderFormatName | undefined {
  if (kind !== "custom" || shape === undefined || shape === "chat") return undefined;
  return shape === entry.format ? undefined : shape;
}

const formatWords: Readonly<Record<ProviderFormatName, string>> = {
  chat: "OpenAI chat completions",
  responses: "OpenAI Responses",
  messages: "Anthropic Messages",
  gemini: "Gemini generateContent",
};

function wrongFormat(format: ProviderFormatName): TestFault {
  const message = `This endpoint uses ${formatWords[format]}.`;
  return { cause: "format", field: "format", message, suggestion: { format } };
}

async function failedCall(
  answer: Extract<ListAnswer, { ok: false }>,
  tested: Tested,
): Promise<Asked> {
  const { failure, location } = answer;
  const { connection } = tested;
  const { status } = failure;
  if (isListless(connection) && failure.cause === "status" && (status === 404 || status === 405))
    return withoutList(status, connection);
  const fault = await faultOfCall(answer, tested);
  return failing(status, await withSuggestion(fault, { ...tested, location }));
}

type FailedAnswer = Pick<Extract<ListAnswer, { ok: false }>, "failure" | "location" | "cap">;

/** A server that was not reached is looked at. */
async function faultOfCall(
  { failure, location, cap }: FailedAnswer,
  { connection, credentials, testing }: Tested,
): Promise<TestFault> {
  const url = listAddress(connection, testing.reach);
  const unreached = ["refused", "reset", "timeout"].includes(failure.cause);
  return faultOf(failure, {
    url,
    keyed: credentials.secret !== undefined,
    ownAddress: hasOwnAddress(connection),
    finding: unreached ? await testing.check(url, testing.reach) : undefined,
    location,
    cap,
  });
}

/** Servers of one's own have an address by default that is easily another. */
function hasOwnAddress(connection: Connection): boolean {
  return connection.entry.base_url !== undefined || recordFor(connection).port !== undefined;
}

function isListless(connection: Connection): boolean {
  const { list, endpoints } = recordFor(connection);
  const isSaid = endpoints.length === 0 && connection.entry.models !== undefined;
  return list === false || isSaid;
}

/** Where no list is to be expected, its absence proves that somebody is there. */
function withoutList(status: number, connection: Connection): Asked {
  const now = Date.now();
  const models = modelsOf(connection, undefined, now).map((info) => listed(connection, info));
  const message = "The provider answered, but has no list of models.";
  return { ok: true, status, models: newestFirst(models), message };
}

/** The fault with what would work in place of what was entered, where something does. */
async function withSuggestion(
  fault: TestFault,
  tested: Tested & { location: string | undefined },
): Promise<TestFault> {
  const { entry, kind } = tested.connection;
  if (
    kind === "custom" &&
    ["key_refused", "not_found", "web_page", "status"].includes(fault.cause)
  ) {
    const format = await answeringFormat(tested);
    if (format !== undefined) return wrongFormat(format);
  }
  if (entry.base_url === undefined || fault.field !== "base_url") return fault;
  const base = await otherAddress(fault, { ...tested, address: entry.base_url });
  if (base === undefined) return fault;
  const words = fault.cause === "redirect" ? "" : ` The API answers at ${base}.`;
  return { ...fault, message: fault.message + words, suggestion: { base_url: base } };
}

/** Formats whose lists are asked for in another way than this one's. */
async function answeringFormat(tested: Tested): Promise<ProviderFormatName | undefined> {
  const spoken = endpointsOf(tested.connection)[0]?.format;
  for (const format of ["messages", "gemini"] as const) {
    if (format === spoken) continue;
    for (const base_url of basesOf(tested.connection, format)) {
      const answer = await fetchAs(tested, { format, base_url });
      if (answer.ok && answer.shape === format) return format;
    }
  }
  return undefined;
}

/** As it was entered, and with the version that people leave out. */
function basesOf({ baseUrl }: Connection, format: "messages" | "gemini"): readonly string[] {
  const version = format === "gemini" ? "/v1beta" : "/v1";
  const plain = trimmed(baseUrl);
  return /\/v\d\w*$/.test(plain) ? [plain] : [plain, plain + version];
}

async function fetchAs(
  { connection, credentials, testing }: Tested,
  change: { format?: ProviderFormatName; base_url?: string },
): Promise<ListAnswer> {
  const other = connectionOf({ ...connection.entry, ...change });
  return await fetchList(other, credentials, testing.reach);
}

interface Misplaced extends Tested {
  readonly address: string;
  readonly location: string | undefined;
}

async function otherAddress(fault: TestFault, asked: Misplaced): Promise<string | undefined> {
  switch (fault.cause) {
    case "not_found":
    case "web_page":
      return await answeringOf(meantAddresses(asked.address), asked);
    case "scheme":
      return await answeringOf([withOtherScheme(asked.address)], asked);
    case "redirect":
      return redirectedBase(asked);
    default:
      return undefined;
  }
}

/** Addresses that people mean who wrote this one: with `/v1` or without, and without the path of one call. */
function* meantAddresses(address: string): Generator<string> {
  const plain = trimmed(address);
  const shorter = plain.replace(
    /\/(?:chat\/completions|completions|responses|messages|models)$/,
    "",
  );
  if (shorter !== plain) yield shorter;
  if (shorter.endsWith("/v1")) yield shorter.slice(0, -"/v1".length);
  else yield `${shorter}/v1`;
  if (!/\/v\d/.test(shorter)) yield `${shorter}/v1beta`;
  if (!shorter.includes("/api")) yield `${shorter.replace(/\/v1$/, "")}/api/v1`;
}

function withOtherScheme(address: string): string {
  return address.startsWith("https:")
    ? address.replace(/^https:/, "http:")
    : address.replace(/^http:/, "https:");
}

/** The first that answers with a list; none that may not be called at all. */
async function answeringOf(
  addresses: Iterable<string>,
  tested: Tested,
): Promise<string | undefined> {
  for (const base_url of addresses) {
    try {
      const answer = await fetchAs(tested, { base_url });
      if (answer.ok) return base_url;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return undefined;
}

/** Where the redirect leads, without what the list's path adds to a base URL. */
function redirectedBase({ address, location, connection, testing }: Misplaced): string | undefined {
  if (location === undefined) return undefined;
  const added = listAddress(connection, testing.reach).pathname.slice(
    withoutEnd(new URL(trimmed(address)).pathname, "/").length,
  );
  const { origin, pathname } = new URL(location);
  return pathname.endsWith(added) ? origin + pathname.slice(0, -added.length) : undefined;
}
