/** Reads the answer of an operation: events and media piece by piece, everything else whole. */
import type { ReplyEvent } from "../core/events.ts";
import { byteReader } from "../lib/bytes.ts";
import { topMembers, type FoundMember } from "../lib/json-member.ts";
import { asObject, isObject, parseJson, type JsonObject } from "../lib/json.ts";
import {
  mediaPiece,
  operationEvents,
  statedOperationFailure,
  textsIn,
} from "../operations/answer-events.ts";
import { NoEmbeddings } from "../operations/no-embeddings.ts";
import type { OperationCall, OperationRequest } from "../operations/operation.ts";
import { readGeminiUsage, readOperationUsage } from "../operations/usage.ts";
import { isJsonType, mediaTypeOf, responseHeaders } from "./failures.ts";
import { sourceOf, type Piece, type Source } from "./source.ts";
import {
  decides,
  emptyAnswer,
  failureBeforeContent,
  heldCap,
  readUntil,
  tooLarge,
  wholeBytes,
  wrongType,
  type ReadAnswer,
} from "./start.ts";
import type { TimeLimit } from "./time-limit.ts";
import type { Ask, Prepared } from "./upstream.ts";

export interface OperationResponse {
  readonly prepared: Prepared;
  readonly asked: OperationRequest;
  readonly call: OperationCall;
  readonly response: Response;
  readonly limit: TimeLimit;
  readonly hasRoom: Ask["hasRoom"];
  /** Told of everything that is read, also of an answer that fails. */
  saw(events: readonly ReplyEvent[]): void;
}

/** The answer's type goes along among its headers. */
export async function readOperationAnswer(given: OperationResponse): Promise<ReadAnswer> {
  const { response } = given;
  const type = mediaTypeOf(response);
  const read = await readAs(type, given);
  if (read.kind === "failed") return read;
  const named =
    read.kind === "whole" && isJsonAnswer(given) ? "application/json" : namedType(response);
  return { ...read, headers: { ...responseHeaders(response), "content-type": named } };
}

const longestType = 200;

function namedType({ headers }: Response): string {
  return headers.get("content-type")?.slice(0, longestType) ?? "application/octet-stream";
}

/** Such an answer is JSON whatever its provider calls it. */
function isJsonAnswer({ asked, call }: OperationResponse): boolean {
  return call.translate !== undefined || asked.operation.answer === "json";
}

async function readAs(type: string, given: OperationResponse): Promise<ReadAnswer> {
  const { asked, response } = given;
  if (response.body === null) return emptyAnswer;
  if (type === "text/event-stream" && given.call.translate === undefined)
    return await begun(sourceOf(response.body, operationEvents()), given);
  if (asked.operation.answer === "media" && !isJsonType(type))
    return await begun(mediaSource(response.body), given);
  return await whole(type, given);
}

/** What came until the first content, and the rest to follow. */
async function begun(source: Source, { limit, saw }: OperationResponse): Promise<ReadAnswer> {
  const held = await readUntil(source, { ends: decides, cap: heldCap, limit, saw });
  if (held === undefined) return tooLarge(source, "before its first content");
  const failure = failureBeforeContent(held.events);
  if (failure === undefined && held.bytes.length > 0) return { kind: "stream", source, held };
  source.cancel();
  return failure === undefined ? emptyAnswer : { kind: "failed", failure };
}

/** Bytes as they come: nothing is read off them. */
function mediaSource(body: ReadableStream<Uint8Array>): Source {
  const reader = byteReader(body);
  return {
    async read(): Promise<Piece> {
      const bytes = await reader.read();
      if (bytes === undefined)
        return { bytes: new Uint8Array(0), text: "", events: [{ kind: "end" }], last: true };
      const events = bytes.length > 0 ? [mediaPiece("audio")] : [];
      return { bytes, text: "", events, last: false };
    },
    cancel() {
      reader.cancel().catch(() => undefined);
    },
    // Nothing that is read here is a failure's text.
    mapFailures: () => undefined,
  };
}

async function whole(type: string, given: OperationResponse): Promise<ReadAnswer> {
  const { asked, call, response, hasRoom, saw } = given;
  const bytes = await wholeBytes(response, hasRoom);
  if (bytes === undefined) return wrongType("The provider's answer is too large.");
  if (bytes.length === 0) return emptyAnswer;
  const text = new TextDecoder().decode(bytes);
  if (asked.operation.answer === "text" && !isJsonType(type))
    return { kind: "whole", events: [...textEvents(text), { kind: "end" }], bytes };
  const members = topMembers(text, ["usage", "usageMetadata", "error", "choices", "text"]);
  if (members === undefined) return wrongType("The provider's answer is not a JSON object.");
  const read = (name: string): JsonObject => memberOf(text, members, name);
  const events = [...eventsIn(read), { kind: "end" } as const];
  saw(events);
  const failure = statedOperationFailure(read("error"));
  if (failure?.kind === "fail") return { kind: "failed", failure: failure.failure };
  if (call.translate === undefined) return { kind: "whole", events, bytes };
  return translated(text, events, call);
}

/** The object with that member alone. */
function memberOf(
  text: string,
  members: ReadonlyMap<string, FoundMember>,
  name: string,
): JsonObject {
  const span = members.get(name);
  if (span === undefined) return {};
  const value = parseJson(text.slice(span.start, span.end));
  return value === undefined ? {} : { [name]: value };
}

/** What an answer tells of its use. `read`: gives an object with that member. */
export function eventsIn(read: (name: string) => JsonObject): ReplyEvent[] {
  const usage =
    readOperationUsage(asObject(read("usage")["usage"])) ??
    readGeminiUsage(read("usageMetadata")["usageMetadata"]);
  const { text } = read("text");
  return [
    ...textsIn(read("choices")),
    ...(typeof text === "string" ? textEvents(text) : []),
    ...(usage === undefined ? [] : [{ kind: "usage" as const, usage }]),
  ];
}

function textEvents(text: string): ReplyEvent[] {
  return text === "" ? [] : [{ kind: "delta", key: 0, text }];
}

function translated(text: string, events: readonly ReplyEvent[], call: OperationCall): ReadAnswer {
  const answer = parseJson(text);
  if (!isObject(answer)) return wrongType("The provider's answer is not valid JSON.");
  try {
    const bytes = new TextEncoder().encode(JSON.stringify(call.translate?.(answer)));
    return { kind: "whole", events: [...events], bytes };
  } catch (error) {
    if (!(error instanceof NoEmbeddings)) throw error;
    return wrongType("The provider's answer does not hold the embeddings that were asked for.");
  }
}
