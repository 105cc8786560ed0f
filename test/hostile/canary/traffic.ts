/** Requests of every kind, good and hostile, each with canaries wherever a client can put a text. */
import { asks, paths, type Client, type Json } from "../../kit/asking.ts";
import { sendRequest } from "../../smoke/gateway.ts";
import { openSocket } from "../../../scripts/bench/socket-client.ts";
import type { Host } from "../../smoke/host.ts";
import { besideTexts, chosenSecrets, redactedTexts, texts, unkeptTexts } from "./canaries.ts";
import { manners } from "./provider.ts";

const prompt = `${texts.prompt} ${redactedTexts.secretInPrompt} ${redactedTexts.emailInPrompt} please`;

const place = { type: "object", properties: { place: { type: "string" } } };

/** A conversation of the format: instructions, a question, a tool's call and its result. */
const bodies: Readonly<Record<Client, (model: string) => Json>> = {
  chat: (model) => ({
    model,
    messages: [
      { role: "system", content: texts.system },
      { role: "user", content: prompt },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c0", type: "function", function: { name: "look", arguments: argumentsOf() } },
        ],
      },
      { role: "tool", tool_call_id: "c0", content: texts.toolResult },
    ],
    tools: [{ type: "function", function: { name: "look", parameters: place } }],
  }),
  responses: (model) => ({
    model,
    instructions: texts.system,
    input: [
      { role: "user", content: prompt },
      { type: "function_call", call_id: "c0", name: "look", arguments: argumentsOf() },
      { type: "function_call_output", call_id: "c0", output: texts.toolResult },
    ],
    tools: [{ type: "function", name: "look", parameters: place }],
  }),
  messages: (model) => ({
    model,
    max_tokens: 50,
    system: texts.system,
    messages: [
      { role: "user", content: prompt },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "c0", name: "look", input: { place: texts.toolInput } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c0", content: texts.toolResult }],
      },
    ],
    tools: [{ name: "look", input_schema: place }],
  }),
};

function argumentsOf(): string {
  return JSON.stringify({ place: texts.toolInput });
}

/** Whose keys are used. */
export interface Keys {
  readonly good: string;
  /** Of a harness that may use no model, and of one whose limit is reached. */
  readonly walled: string;
  readonly spent: string;
  /** Of harnesses whose searcher and judge work, and of one where both fail. */
  readonly searched: string;
  readonly missed: string;
}

interface Sent {
  readonly client: Client;
  readonly body: string | FormData;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  /** Where it is sent, if not to the client's own path. */
  readonly path?: string;
}

/** Every request, one after another. */
export async function sendEverything(host: Host, keys: Keys): Promise<void> {
  const ordinary = [...answered(keys.good), ...refused(keys), ...hostile(keys.good)];
  for (const sent of [...ordinary, ...ofGemini(keys), ...ofOperations(keys), ...beside(keys)]) {
    const { client, body, headers = {}, query = "", path = paths[client] } = sent;
    const response = await sendRequest(host, path + query, {
      method: "POST",
      headers: {
        ...(typeof body === "string" && { "content-type": "application/json" }),
        ...headers,
      },
      body,
    });
    // A stream that breaks off is one of the cases.
    await response.text().catch(() => "");
  }
  for (const model of [...manners, "fallback"]) await sendOverSocket(host, keys.good, `${model}/m`);
}

/** One message that is answered, and one that goes on from what is not known, over a socket of its own. */
async function sendOverSocket({ base }: Host, key: string, model: string): Promise<void> {
  const port = Number(new URL(base).port);
  const client = await openSocket({ port, headers: bearer(key) });
  const input = `${besideTexts.socket} ${redactedTexts.secretInPrompt}`;
  const create = { type: "response.create", model, store: false, input };
  for (const more of [{}, { previous_response_id: `resp_${besideTexts.socket}` }]) {
    client.send(JSON.stringify({ ...create, ...more }));
    await client.until("response.completed", "response.failed", "response.incomplete", "error");
  }
  client.connection.destroy();
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function text(client: Client, model: string, more: Json = {}): string {
  return JSON.stringify({ ...bodies[client](model), ...more });
}

function answered(key: string): Sent[] {
  return asks.flatMap(({ client, stream }) =>
    [...manners, "fallback"].map((manner) => ({
      client,
      body: text(client, `${manner}/m`, { stream }),
      headers: bearer(key),
    })),
  );
}

function refused({ good, walled, spent }: Keys): Sent[] {
  const body = text("chat", "good/m");
  const chat = (headers: Record<string, string>, more: Partial<Sent> = {}): Sent => ({
    client: "chat",
    body,
    headers,
    ...more,
  });
  return [
    chat({}),
    chat({ authorization: "Bearer " }),
    chat(bearer(chosenSecrets.malformedKey)),
    chat(bearer(chosenSecrets.forgedKey)),
    chat({ "x-api-key": chosenSecrets.forgedKey }),
    chat({}, { query: `?key=${chosenSecrets.queryKey}` }),
    chat(bearer(good), { body: `{"model": "good/m", "messages": "${prompt}"}` }),
    chat(bearer(good), { body: `${prompt} {` }),
    chat(bearer(good), { body: text("chat", "nobody/knows") }),
    chat(bearer(walled)),
    chat(bearer(spent)),
  ];
}

function hostile(key: string): Sent[] {
  const headers = {
    ...bearer(key),
    cookie: `session=${chosenSecrets.cookie}`,
    "proxy-authorization": `Basic ${chosenSecrets.basic}`,
    "x-canary": texts.header,
    "user-agent": `agent ${texts.header}`,
    referer: `https://example.com/?q=${texts.header}`,
    traceparent: texts.header,
    tracestate: `x=${texts.header}`,
    baggage: `a=${texts.header}`,
    "x-forwarded-for": texts.header,
  };
  return asks.map(({ client, stream }) => ({
    client,
    body: text(client, "good/m", { stream }),
    headers,
    query: `?key=${chosenSecrets.queryKey}&q=${texts.prompt}`,
  }));
}

/** Operations beside generation, at providers that answer, refuse and break off. */
function ofOperations({ good, walled, spent }: Keys): Sent[] {
  const input = `${besideTexts.embedded} ${redactedTexts.secretInPrompt}`;
  const form = (model: string): FormData => {
    const data = new FormData();
    data.set("model", model);
    data.set("prompt", input);
    data.set("file", new File([`${besideTexts.file} ${redactedTexts.secretInPrompt}`], "a.mp3"));
    data.set("image", new File([besideTexts.file], `${besideTexts.file}.png`));
    return data;
  };
  const json = { "/v1/embeddings": { input }, "/v1/images/generations": { prompt: input } };
  const asked = (model: string): [string, string | FormData][] => [
    ...Object.entries(json).map(([path, body]): [string, string] => [
      path,
      JSON.stringify({ model, ...body }),
    ]),
    ["/v1/audio/speech", JSON.stringify({ model, input, voice: "v" })],
    ["/v1/completions", JSON.stringify({ model, prompt: input })],
    ["/v1/completions", JSON.stringify({ model, prompt: input, stream: true })],
    ["/v1/moderations", JSON.stringify({ model, input })],
    ["/v1/rerank", JSON.stringify({ model, query: input, documents: [input] })],
    ["/v1/audio/transcriptions", form(model)],
    ["/v1/images/edits", form(model)],
  ];
  const send = (key: string, model: string): Sent[] =>
    asked(model).map(([path, body]) => ({ client: "chat", path, body, headers: bearer(key) }));
  return [
    ...manners.flatMap((manner) => send(good, `${manner}/m`)),
    ...send(walled, "good/m"),
    ...send(spent, "good/m"),
    ...send(chosenSecrets.forgedKey, "good/m"),
    ...send(good, "nobody/knows").map((sent) => ({
      ...sent,
      query: `?key=${chosenSecrets.queryKey}`,
    })),
  ];
}

/** Requests whose answers need searches and verdicts, of helpers that work and of others that repeat what they were asked. */
function beside({ searched, missed }: Keys): Sent[] {
  const more = {
    tools: [
      { name: "look", input_schema: place },
      { type: "web_search_20250305", name: "web_search", max_uses: 2 },
    ],
    safeguards: [
      { type: "dangerous_tool_use", classifier_context: { v: 1, live_cwd: unkeptTexts.context } },
    ],
  };
  return [searched, missed].flatMap((key) =>
    ["wants/m", "wavers/m"].flatMap((model) =>
      [true, false].map((stream) => ({
        client: "messages" as const,
        body: text("messages", model, { ...more, stream }),
        headers: bearer(key),
      })),
    ),
  );
}

/** Keys of Gemini clients may stand in the query, where the good one is as secret as a wrong one. */
function ofGemini({ good }: Keys): Sent[] {
  const contents = [
    { role: "user", parts: [{ text: prompt }] },
    {
      role: "model",
      parts: [{ functionCall: { name: "look", args: { place: texts.toolInput } } }],
    },
    {
      role: "user",
      parts: [{ functionResponse: { name: "look", response: { output: texts.toolResult } } }],
    },
  ];
  const systemInstruction = { parts: [{ text: texts.system }] };
  const body = JSON.stringify({ contents, systemInstruction });
  const methods = ["generateContent", "streamGenerateContent"];
  const calls = [...manners, "fallback"].flatMap((manner) =>
    methods.map((method) => `/v1beta/models/${manner}/m:${method}`),
  );
  const send = (path: string, query: string, headers: Record<string, string> = {}): Sent => ({
    client: "chat",
    body,
    path,
    query,
    headers,
  });
  const [any = ""] = calls;
  return [
    ...calls.flatMap((path) => [
      send(path, `?key=${good}`),
      send(path, "?alt=sse", { "x-goog-api-key": good }),
    ]),
    send(any, `?key=${chosenSecrets.queryKey}`),
    send(any, "", { "x-goog-api-key": chosenSecrets.forgedKey }),
    send("/v1beta/nothing", `?key=${good}`),
    send("/v1beta/cachedContents", `?key=${chosenSecrets.queryKey}`),
  ];
}
