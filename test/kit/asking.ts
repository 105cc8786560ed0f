/** What a client of the gateway asks and reads, in process or over a socket. */
import { openLane, type Lane } from "./lane.ts";
import { stream as streamOf, whole as wholeOf, type Script } from "./script.ts";
import { versions, endpoints } from "./wire/index.ts";
import type { Said, WireFormat } from "./wire/said.ts";

export type Variant = "A" | "B";
export type Client = "chat" | "responses" | "messages";
export type Json = Record<string, unknown>;

export const variants: Variant[] = ["A", "B"];
export const clients: Client[] = ["chat", "responses", "messages"];
export const deliveries = [true, false];

/** Every client, streamed and whole. */
export const asks = clients.flatMap((client) => deliveries.map((stream) => ({ client, stream })));

export const paths: Record<Client, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

export const secret = `sk-test/${"secret+".repeat(3)}=9`;

/** A custom provider on a lane. */
export function provider(given: {
  format: WireFormat;
  lane: Lane;
  [member: string]: unknown;
}): Json {
  const { format, lane, ...more } = given;
  return {
    kind: "custom",
    format,
    base_url: `${lane.url}/${versions[format]}`,
    api_key: secret,
    models: [{ id: "m", cost: { input: 1, output: 1 } }],
    ...more,
  };
}

/** The least request of a client. */
export function request(client: Client, more: Json = {}): Json {
  const { model = "bad/m", ...rest } = more;
  switch (client) {
    case "chat":
      return { model, messages: [{ role: "user", content: "hi" }], ...rest };
    case "responses":
      return { model, input: "hi", ...rest };
    case "messages":
      return { model, max_tokens: 50, messages: [{ role: "user", content: "hi" }], ...rest };
    default:
      return client satisfies never;
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body parsed, or an empty object when it is no JSON object. */
  json: Json;
  /** The envelope's error. */
  error: Json;
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = parsed(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    error: (json["error"] ?? {}) as Json,
  };
}

export function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** What a provider of the format answers to a request that asks for a stream or not. */
export function replyScript(
  format: WireFormat,
  said: Said,
  how: { stream: boolean } & Script,
): Script {
  const { stream, ...more } = how;
  return stream
    ? streamOf(endpoints[format].events(said, "m"), more)
    : { ...wholeOf(endpoints[format].whole(said, "m")), ...more };
}

/** Server-sent events of a text: the `event` line's word and the data, parsed where it is JSON. */
export function events(text: string): { event: string | undefined; data: string; json: Json }[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => {
      const lines = block.split(/\r?\n/);
      const event = lines
        .find((line) => line.startsWith("event:"))
        ?.slice(6)
        .trim();
      const data = lines
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trim())
        .join("\n");
      return { event, data, json: parsed(data) };
    })
    .filter(({ data }) => data !== "");
}

/** The words of the assistant in a whole or streamed answer of the client's format. */
export function words(client: Client, answer: Pick<Answer, "headers" | "text">): string {
  const streamed = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return streamed ? streamedWords(client, answer.text) : wholeWords(client, parsed(answer.text));
}

function streamedWords(client: Client, text: string): string {
  return events(text)
    .map(({ json }) => {
      switch (client) {
        case "chat":
          return at(json, "choices", 0, "delta", "content");
        case "responses":
          return json["type"] === "response.output_text.delta" ? json["delta"] : "";
        case "messages":
          return at(json, "delta", "text");
        default:
          return client satisfies never;
      }
    })
    .map((part) => (typeof part === "string" ? part : ""))
    .join("");
}

function wholeWords(client: Client, json: Json): string {
  switch (client) {
    case "chat":
      return String(at(json, "choices", 0, "message", "content"));
    case "responses":
      return String(at(json, "output", 0, "content", 0, "text"));
    case "messages":
      return String(at(json, "content", 0, "text"));
    default:
      return client satisfies never;
  }
}

/** The member at a path, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (here, step) =>
      typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined,
    value,
  );
}

export { openLane, type Lane, type Script, type Said, type WireFormat };
