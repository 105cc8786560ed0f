import { deflateSync, gzipSync } from "node:zlib";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  clients,
  openLane as laneOn,
  paths,
  provider,
  read,
  request,
  replyScript,
  variants,
  words,
  type Answer,
  type Client,
  type Json,
  type Lane,
  type Variant,
  type WireFormat,
} from "../kit/asking.ts";
import { expectBaseHeaders, expectEnvelope } from "../kit/expectations.ts";
import { sampled } from "../kit/sample.ts";
import {
  addressHeader,
  asked,
  exactly,
  halfClosed,
  sendRequest as sendRequestTo,
  world as worldAt,
  type World,
} from "./gateway.ts";
import { admin, npmStart, scratch, type Host } from "./host.ts";

const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];
const spaces = { A: scratch(), B: scratch() };
const hosts = new Map<Variant, Host>();
let where: World;
const keys = new Map<Variant, string>();
const lanes = new Map<string, Lane>();
const openLane = (): Lane => laneOn(inject("upstream"));

function hostOf(variant: Variant): Host {
  const host = hosts.get(variant);
  if (host === undefined) throw new Error("not started");
  return host;
}

const sendRequest = (
  path: string,
  init: RequestInit = {},
  variant: Variant = "A",
): Promise<Response> => sendRequestTo(hostOf(variant), path, init);
const world = (document: { providers: Json[] }): Promise<World> => worldAt(hostOf("A"), document);

async function start(variant: Variant): Promise<void> {
  const environment = { VARIANT: variant, TRUSTED_IP_HEADER: addressHeader };
  hosts.set(variant, await npmStart({ state: spaces[variant].folder, environment }));
}

afterAll(async () => {
  await Promise.all([...hosts.values()].map((host) => host.stop()));
  for (const space of Object.values(spaces)) space.remove();
});

beforeAll(async () => {
  await Promise.all(variants.map(start));
  const providers = await Promise.all(
    formats.map(async (format) => {
      const lane = openLane();
      lanes.set(format, lane);
      await lane.answer(replyScript(format, { text: "GOOD" }, { stream: false }));
      return provider({ id: format, format, lane });
    }),
  );
  where = await world({ providers });
  keys.set("A", where.key);
  keys.set("B", (await worldAt(hostOf("B"), { providers })).key);
});

/** A workspace with one provider of one model. */
async function fresh(): Promise<World> {
  const lane = openLane();
  return await world({ providers: [provider({ id: "lab", format: "chat", lane })] });
}

const forged = `gw_${"a".repeat(43)}`;

const bodies: { title: string; text: string | Uint8Array }[] = [
  { title: "nothing", text: "" },
  { title: "blanks", text: "  \n " },
  { title: "half an object", text: "{" },
  { title: "a missing value", text: '{"model":}' },
  { title: "a comma too many", text: '{"model":"chat/m",}' },
  { title: "single quotes", text: "{'model':'chat/m'}" },
  { title: "a comment", text: '{/* */"model":"chat/m"}' },
  { title: "two values", text: "{}{}" },
  { title: "text behind the value", text: '{"model":"chat/m"} x' },
  { title: "NaN", text: '{"model":NaN}' },
  { title: "undefined", text: "undefined" },
  { title: "a raw line end in a string", text: '{"model":"a\nb"}' },
  { title: "a bad escape", text: String.raw`{"model":"\x"}` },
  { title: "a list", text: "[]" },
  { title: "a list of objects", text: '[{"model":"chat/m"}]' },
  { title: "a text", text: '"hello"' },
  { title: "a number", text: "1" },
  { title: "null", text: "null" },
  { title: "true", text: "true" },
  { title: "a form", text: "model=chat/m&stream=true" },
  { title: "an event stream", text: 'data: {"model":"chat/m"}\n\n' },
  { title: "markup", text: "<xml/>" },
  { title: "a NUL", text: "\0" },
  { title: "half a UTF-8 sequence", text: Uint8Array.of(0x7b, 0x22, 0xe2, 0x82, 0x22, 0x7d) },
  { title: "a byte of Latin-1", text: Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d) },
  { title: "an encoded surrogate", text: Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22) },
  { title: "an overlong slash", text: Uint8Array.of(0x22, 0xc0, 0xaf, 0x22) },
  { title: "UTF-16", text: Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0) },
  { title: "a gzip without its header", text: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3) },
];

interface Wrong {
  field: string;
  value: unknown;
}

const each = (field: string, values: unknown[]): Wrong[] =>
  values.map((value) => ({ field, value }));

const wrongModels = each("model", [
  undefined,
  null,
  "",
  1,
  true,
  ["chat/m"],
  { id: "chat/m" },
  "x".repeat(513),
  "chat/m\n",
  "chat\u0000/m",
  "chat/\u007f",
  "\u0085",
]);
const wrongStreams = each("stream", ["true", "", 1, 0, [], {}]);
const wrongTools = each("tools", ["many", 1, true, {}]);
const wrongLists = each("messages", [undefined, null, "hi", 1, {}, []]);
const wrongMessages = each("messages[0]", [null, 1, "hi", []]);
const wrongRoles = each("messages[0].role", [undefined, null, "", 1, "robot", "User", {}]);
const wrongContents = each("messages[0].content", [1, true, {}, { type: "text" }]);
const wrongParts = each("messages[0].content[0]", [1, null, "hi", []]);
const wrongTypes = each("messages[0].content[0].type", [undefined, null, 1, {}]);
const conversation = [
  ...wrongLists,
  ...wrongMessages,
  ...wrongRoles,
  ...wrongContents,
  ...wrongParts,
  ...wrongTypes,
];

const wrong: Record<Client, Wrong[]> = {
  chat: [...wrongModels, ...wrongStreams, ...wrongTools, ...conversation],
  responses: [
    ...wrongModels,
    ...wrongStreams,
    ...wrongTools,
    ...each("input", [undefined, null, 1, true, {}]),
    ...each("input[0]", [null, 1, "hi", []]),
  ],
  messages: [
    ...wrongModels,
    ...wrongStreams,
    ...wrongTools,
    ...conversation,
    ...each("messages[0].role", ["tool", "developer", "function"]),
    ...each("max_tokens", [undefined, null, 0, -1, 1.5, "5", true, {}]),
  ],
};

/** The least request with one member replaced; `undefined` leaves it out. */
function broken(client: Client, { field, value }: Wrong): Json {
  const body = request(client, { model: "chat/m" });
  if (field.startsWith("input[")) return { ...body, input: [value] };
  if (!field.startsWith("messages[")) return { ...body, [field]: value };
  const message = {
    "messages[0]": value,
    "messages[0].role": { role: value, content: "hi" },
    "messages[0].content": { role: "user", content: value },
    "messages[0].content[0]": { role: "user", content: [value] },
    "messages[0].content[0].type": { role: "user", content: [{ type: value, text: "hi" }] },
  }[field];
  return { ...body, messages: [message] };
}

describe.each(clients)("what no %s request is", (client) => {
  it.each(sampled(bodies))("$title", async ({ text }) => {
    const given = {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${where.key}` },
      body: text,
    };
    const answer = await read(await sendRequest(paths[client], given));
    expectEnvelope(answer, { code: "M300", client, variant: "A" });
    expect(answer.error["message"]).toMatch(/body/);
  });

  it.each(
    sampled(wrong[client]).map((row) => ({
      ...row,
      shown: (row.value === undefined ? "nothing" : JSON.stringify(row.value)).slice(0, 30),
    })),
  )("$field as $shown: told which field", async (row) => {
    const answer = await asked(where, { client, body: broken(client, row) });
    expectEnvelope(answer, { code: "M300", client, variant: "A" });
    expect(answer.error["message"]).toContain(`] ${row.field}: `);
  });
});

const fine: { title: string; change: Json | string }[] = [
  { title: "a byte order mark", change: "\ufeff" },
  { title: "unknown members", change: { "x-odd": { deep: [1, { "": null }] }, "": 1 } },
  { title: "stream null", change: { stream: null } },
  { title: "tools null", change: { tools: null } },
  { title: "an emoji and a lone surrogate", change: { user: "\u{1f600} \ud800" } },
  { title: "very large numbers", change: { seed: 1e300, top_logprobs: -0 } },
];

describe("what is unusual but a request", () => {
  const rows = clients.flatMap((client) => fine.map((row) => ({ client, ...row })));

  it.each(rows)("$title, $client", async ({ client, change }) => {
    const least = request(client, { model: `${client}/m` });
    const body =
      typeof change === "string" ? change + JSON.stringify(least) : { ...least, ...change };
    const answer = await asked(where, { client, body });
    expect(answer.status, answer.text).toBe(200);
    expect(words(client, answer)).toBe("GOOD");
  });

  it.each(clients)(
    "a name that means a prototype elsewhere reaches a %s provider as it is",
    async (client) => {
      const least = JSON.stringify(request(client, { model: `${client}/m` })).slice(1);
      const odd = '"__proto__":{"polluted":true},"constructor":{"prototype":1},"hasOwnProperty":1';
      const answer = await asked(where, { client, body: `{${odd},${least}` });
      expect(answer.status).toBe(200);
      const text = (await lanes.get(client)?.received())?.at(-1)?.text ?? "";
      expect(text).toContain(odd);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    },
  );

  it.each(clients)("of two members with one name the last counts, %s", async (client) => {
    const least = JSON.stringify(request(client, { model: `${client}/m` })).slice(1);
    const answer = await asked(where, { client, body: `{"model":"nobody/m",${least}` });
    expect(answer.status).toBe(200);
  });

  const names = [
    "x".repeat(512),
    "lab/".repeat(128),
    "лаб/m",
    "lab/\u{1f600}",
    "lab/m ",
    "../m",
    "%00",
  ];
  it.each(names)("the model %j is nobody's", async (model) => {
    const answer = await asked(await fresh(), { client: "chat", body: request("chat", { model }) });
    expectEnvelope(answer, { code: "M302", client: "chat", variant: "A" });
  });
});

describe("size and depth", () => {
  const rows = clients.flatMap((client) => formats.map((format) => ({ client, format })));

  it.each(sampled(rows))(
    "as many members as objects may have from $client to $format are no fault of the gateway",
    async ({ client, format }) => {
      const scene = await sceneTo(format);
      const odd = Object.fromEntries(Array.from({ length: 9_990 }, (_, n) => [`k${n}`, n]));
      const body = { ...request(client, { model: "p/m" }), metadata: odd, ...odd };
      const answer = await asked(scene, { client, body: JSON.stringify(body) });
      expect(answer.status, answer.text.slice(0, 200)).toBeLessThan(500);
    },
    20_000,
  );

  const depths = [1000, 10_000, 200_000];
  const deep = rows.flatMap((row) => depths.map((depth) => ({ ...row, depth })));
  it.each(sampled(deep))(
    "$depth levels from $client to $format",
    async ({ client, format, depth }) => {
      const scene = await sceneTo(format);
      const least = JSON.stringify(request(client, { model: "p/m" })).slice(1);
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
      ] as const) {
        const nest = `${open.repeat(depth)}1${close.repeat(depth)}`;
        for (const field of ["metadata", "x-odd"]) {
          const answer = await asked(scene, { client, body: `{"${field}":${nest},${least}` });
          expectEnvelope(answer, { code: "M300", client, variant: "A" });
          expect(answer.text).toContain(`${field}: nested deeper than 500 levels`);
        }
      }
    },
    20_000,
  );
});

describe("a request that is nested too deep to be read", () => {
  it.each(clients)("counts as none for a stream: %s gets the status", async (client) => {
    const least = JSON.stringify(request(client, { model: "nobody/m", stream: true })).slice(1);
    const nest = `${"[".repeat(10_000)}1${"]".repeat(10_000)}`;
    const answer = await asked(where, { client, body: `{"metadata":${nest},${least}` });
    expectEnvelope(answer, { code: "M300", client, variant: "A" });
  });
});

/** Members that translation reads, with values that they never have. */
const members: Record<Client, string[]> = {
  chat: [
    "tools",
    "tool_choice",
    "temperature",
    "top_p",
    "stop",
    "n",
    "max_tokens",
    "max_completion_tokens",
    "response_format",
    "stream_options",
    "reasoning_effort",
    "modalities",
    "audio",
    "prediction",
    "seed",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "parallel_tool_calls",
    "presence_penalty",
    "user",
    "metadata",
    "functions",
    "function_call",
    "service_tier",
    "store",
    "web_search_options",
    "verbosity",
    "top_k",
  ],
  responses: [
    "tools",
    "tool_choice",
    "temperature",
    "top_p",
    "instructions",
    "max_output_tokens",
    "reasoning",
    "text",
    "include",
    "metadata",
    "parallel_tool_calls",
    "store",
    "previous_response_id",
    "truncation",
    "user",
    "prompt_cache_key",
    "service_tier",
    "background",
    "prompt",
    "conversation",
    "top_logprobs",
    "client_metadata",
  ],
  messages: [
    "tools",
    "tool_choice",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "system",
    "thinking",
    "metadata",
    "container",
    "context_management",
    "mcp_servers",
    "output_config",
    "output_format",
    "service_tier",
  ],
};
const odd: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "odd",
  [],
  [null],
  [1],
  ["x"],
  [[]],
  [{}],
  {},
  { type: 1 },
  { type: "odd" },
  [{ type: "function" }],
  [{ type: "function", function: null }],
  [{ name: 1 }],
  { name: {} },
];

describe.each(clients)("values that no %s field has never make the gateway fail", (client) => {
  const foreign = formats.filter((format) => format !== client);

  it.each(foreign)(
    "on the way to %s",
    async (format) => {
      const cases = members[client].flatMap((field, index) =>
        // A third of them each, in turn: every value meets every third field.
        odd.filter((_, at) => at % 3 === index % 3).map((value) => ({ [field]: value })),
      );
      await expectRefusedOrServed(client, format, cases);
    },
    60_000,
  );

  const parts: unknown[] = [
    { type: "text" },
    { type: "text", text: 1 },
    { type: "text", text: null },
    { type: "image_url" },
    { type: "image_url", image_url: 1 },
    { type: "image_url", image_url: { url: 1 } },
    { type: "image_url", image_url: { url: "data:;base64,%%%" } },
    { type: "image", source: null },
    { type: "image", source: { type: "base64" } },
    { type: "image", source: { type: "base64", media_type: 1, data: 2 } },
    { type: "document" },
    { type: "input_audio", input_audio: {} },
    { type: "file" },
    { type: "tool_use" },
    { type: "tool_use", id: 1, name: 2, input: 3 },
    { type: "tool_result" },
    { type: "tool_result", tool_use_id: {}, content: 5 },
    { type: "thinking" },
    { type: "thinking", thinking: 1, signature: 2 },
    { type: "redacted_thinking", data: 1 },
    { type: "input_text" },
    { type: "input_image", image_url: 5 },
    { type: "output_text", text: 5 },
    { type: "function_call" },
    { type: "function_call", name: 1, arguments: 2, call_id: 3 },
    { type: "function_call_output" },
    { type: "reasoning", summary: 1 },
    { type: "item_reference" },
    { type: "" },
    { type: "__proto__" },
    { type: "constructor" },
  ];
  const roles = ["user", "assistant", ...(client === "messages" ? ["system"] : ["system", "tool"])];

  it.each(foreign)(
    "in the conversation, on the way to %s",
    async (format) => {
      const cases = parts.map((part, index) => {
        const inner = { role: roles[index % roles.length], content: [part] };
        return client === "responses" ? { input: [inner, part] } : { messages: [inner] };
      });
      await expectRefusedOrServed(client, format, cases);
    },
    60_000,
  );
});

/** All requests with these changes, a few at a time: an answer, or M300. */
async function expectRefusedOrServed(
  client: Client,
  format: WireFormat,
  changes: Json[],
): Promise<void> {
  const picked = sampled(changes);
  for (let at = 0; at < picked.length; at += 150) {
    const scene = await sceneTo(format);
    const waiting = picked.slice(at, at + 150);
    const work = async (): Promise<void> => {
      for (let change = waiting.pop(); change; change = waiting.pop()) {
        const body = { ...request(client, { model: "p/m" }), ...change };
        const answer = await asked(scene, { client, body });
        const shown = `${JSON.stringify(change)} -> ${answer.text.slice(0, 200)}`;
        expect([200, 400], shown).toContain(answer.status);
        expectOwn(answer, client);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
  }
}

async function sceneTo(format: WireFormat): Promise<World> {
  const lane = openLane();
  await lane.answer(replyScript(format, { text: "GOOD" }, { stream: false }));
  return await world({ providers: [provider({ id: "p", format, lane })] });
}

/** An answer of the gateway's own in the client's envelope, or the provider's. */
function expectOwn(answer: Answer, client: Client): void {
  if (answer.status === 200) expectBaseHeaders(answer, client);
  else expectEnvelope(answer, { code: "M300", client, variant: "A" });
}

const packed = (text: string, format: "gzip" | "deflate"): Buffer =>
  format === "gzip" ? gzipSync(text) : deflateSync(text);

describe("compressed bodies and their types", () => {
  const send = async (body: Buffer | string, headers: Record<string, string>): Promise<Answer> =>
    read(
      await sendRequest("/v1/chat/completions", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${where.key}`,
          ...headers,
        },
        body,
      }),
    );
  const text = JSON.stringify(request("chat", { model: "chat/m" }));

  it.each([
    { encoding: "gzip", format: "gzip" as const },
    { encoding: "x-gzip", format: "gzip" as const },
    { encoding: "GZIP", format: "gzip" as const },
    { encoding: "deflate", format: "deflate" as const },
  ])("$encoding is read", async ({ encoding, format }) => {
    const answer = await send(packed(text, format), { "content-encoding": encoding });
    expect(answer.status, answer.text).toBe(200);
  });

  it.each(["identity", ""])("the encoding %j changes nothing", async (encoding) => {
    expect((await send(text, { "content-encoding": encoding })).status).toBe(200);
  });

  it.each(["gzip", "deflate"])("a body that is no %s: 400", async (encoding) => {
    const answer = await send(text, { "content-encoding": encoding });
    expectEnvelope(answer, { code: "M300", client: "chat", variant: "A" });
  });

  it("half a gzip: 400", async () => {
    const half = packed(text, "gzip").subarray(0, 30);
    const answer = await send(half, { "content-encoding": "gzip" });
    expectEnvelope(answer, { code: "M300", client: "chat", variant: "A" });
  });

  it.each(["br", "zstd", "compress", "gzip, gzip", "snappy"])("%s: 415", async (encoding) => {
    const answer = await send(text, { "content-encoding": encoding });
    const row = { status: 415 };
    expectEnvelope(answer, { code: "M300", client: "chat", variant: "A", row });
  });

  it("a gzip of 33 MB is too large, however short it came", async () => {
    const bomb = packed(" ".repeat(33 * 1024 * 1024) + text, "gzip");
    const headers = { "content-encoding": "gzip", accept: "text/event-stream" };
    const answer = await send(bomb, headers);
    const row = { status: 413 };
    expectEnvelope(answer, { code: "M300", client: "chat", variant: "A", row });
  }, 20_000);

  const megabyte = " ".repeat(1024 * 1024);
  const tooLarge = { status: 413 };

  it.each(clients)(
    "32 MB are read, a byte more is too much, with a stated length: %s",
    async (client) => {
      const least = JSON.stringify(request(client, { model: "nobody/m", stream: true }));
      const limit = 32 * 1024 * 1024;
      const exact = await asked(where, { client, body: least.padEnd(limit) });
      expect(exact.status).toBe(200);
      expect(exact.text).toContain("M302");
      const over = await asked(where, { client, body: least.padEnd(limit + 1) });
      expectEnvelope(over, { code: "M300", client, variant: "A", row: tooLarge });
    },
    30_000,
  );

  it.each(clients)(
    "33 MB without a length are too much: %s",
    async (client) => {
      const headers = {
        "content-type": "application/json",
        authorization: `Bearer ${where.key}`,
        accept: "text/event-stream",
      };
      const chunks = Array.from({ length: 33 }, () => megabyte);
      const given = { path: paths[client], method: "POST", headers, chunks };
      const answer = await exactly(hostOf("A"), given);
      expectEnvelope(answer, { code: "M300", client, variant: "A", row: tooLarge });
    },
    30_000,
  );

  const early = variants.flatMap((variant) => [
    { variant, title: "a bad key", path: "/v1/messages", key: forged, status: 401 },
    { variant, title: "an unknown path", path: "/v1/nothing", key: forged, status: 404 },
    { variant, title: "a wrong type", path: "/v1/chat/completions", key: "", status: 415 },
  ]);

  it.each(early)(
    "$variant: $title is told to a caller that is still sending 8 MB",
    async (given) => {
      const { variant, path, key, status } = given;
      const headers = {
        "content-type": status === 415 ? "text/plain" : "application/json",
        authorization: `Bearer ${key === "" ? keys.get(variant) : key}`,
      };
      const chunks = Array.from({ length: 8 }, () => megabyte);
      for (const length of [{}, { "content-length": String(8 * megabyte.length) }]) {
        const all = { ...headers, ...length };
        const answer = await exactly(hostOf(variant), {
          path,
          method: "POST",
          headers: all,
          chunks,
        });
        expect(answer.status).toBe(status);
        expect(answer.error["message"]).toMatch(/\S/);
      }
    },
    30_000,
  );

  const types = [
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8;x=y",
    " application/json ",
    "application/vnd.api+json",
  ];
  it.each(types)("the type %j is JSON", async (type) => {
    expect((await send(text, { "content-type": type })).status).toBe(200);
  });

  const others = [
    "text/plain",
    "text/json",
    "application/xml",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "json",
  ];
  it.each(others)("the type %j is not", async (type) => {
    const answer = await send(text, { "content-type": type });
    const row = { status: 415 };
    expectEnvelope(answer, { code: "M300", client: "chat", variant: "A", row });
  });
});

describe("bodies that end too early", () => {
  const begin = (path: string, more: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${where.key}\r\n${more}`;
  const cuts: { title: string; more: string }[] = [
    { title: "less than the stated length", more: 'content-length: 500\r\n\r\n{"model":' },
    { title: "no body at all", more: "content-length: 500\r\n\r\n" },
    { title: "a chunk cut in two", more: 'transfer-encoding: chunked\r\n\r\n50\r\n{"model":' },
    { title: "chunks without the last", more: "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n" },
  ];
  const rows = clients.flatMap((client) => cuts.map((cut) => ({ client, ...cut })));

  it.each(rows)("$title is no fault of the gateway: $client", async ({ client, more }) => {
    const text = await halfClosed(hostOf("A"), begin(paths[client], more));
    expect(text).not.toMatch(/^HTTP\/1\.1 5/);
    const { ok } = await sendRequest("/healthz");
    expect(ok).toBe(true);
    const log = await admin<{ data: Json[] }>(where.host, "GET /api/requests?limit=1");
    expect(log.data[0]?.["status"]).toBeLessThan(500);
  });
});

describe("paths, methods, origins", () => {
  const known = [
    { path: "/v1/chat/completions", method: "POST" },
    { path: "/v1/responses", method: "POST" },
    { path: "/v1/messages", method: "POST" },
    { path: "/v1/messages/count_tokens", method: "POST" },
    { path: "/v1/models", method: "GET" },
    { path: "/v1/models/lab/m", method: "GET" },
    { path: "/v1/codex-models.json", method: "GET" },
    { path: "/v1/v1/messages", method: "POST" },
    { path: "/v1/nothing", method: "GET" },
    { path: "/v1", method: "GET" },
  ];
  const preflights = variants.flatMap((variant) => known.map((row) => ({ variant, ...row })));

  it.each(preflights)("$variant: $path answers OPTIONS from any origin", async (given) => {
    const { variant, path, method } = given;
    const headers = {
      origin: "https://page.test",
      "access-control-request-method": method,
      "access-control-request-headers": "authorization, x-stainless-os",
    };
    const answer = await read(await sendRequest(path, { method: "OPTIONS", headers }, variant));
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toContain(method);
    expect(answer.headers.get("access-control-allow-headers")).toMatch(/\*, ?authorization/i);
    expectBaseHeaders(answer, path.includes("messages") ? "messages" : "chat");
  });

  it.each(variants)("%s: HEAD says what GET would, without a body", async (variant) => {
    const headers = { authorization: `Bearer ${keys.get(variant)}` };
    const answer = await read(
      await sendRequest("/v1/models", { method: "HEAD", headers }, variant),
    );
    expect(answer).toMatchObject({ status: 200, text: "" });
    expectBaseHeaders(answer, "chat");
  });

  it.each(["GET", "HEAD"])("%s / and /api/hello answer without a key", async (method) => {
    for (const path of ["/", "/api/hello"]) {
      const answer = await read(await sendRequest(path, { method }));
      expect(answer.status).toBe(200);
      expect(answer.text === "").toBe(method === "HEAD");
    }
  });

  it.each(variants)(
    "%s: an upgrade is refused with 426 and the headers of every answer where no WebSocket is spoken",
    async (variant) => {
      for (const [path, client] of [
        ["/v1/chat/completions", "chat"],
        ["/v1/v1/messages", "messages"],
      ] as const) {
        const headers = {
          upgrade: "websocket",
          connection: "Upgrade",
          "sec-websocket-version": "13",
        };
        const answer = await exactly(hostOf(variant), { path, headers });
        expect(answer.status).toBe(426);
        expectBaseHeaders(answer, client);
        expect(answer.headers.get("x-gateway-tier")).toBe(variant === "B" ? "none" : null);
      }
    },
  );

  it.each(clients)("/v1/v1 is /v1 for %s", async (client) => {
    const body = JSON.stringify(request(client, { model: `${client}/m` }));
    const headers = { "content-type": "application/json", authorization: `Bearer ${where.key}` };
    const answer = await read(
      await sendRequest(`/v1${paths[client]}`, { method: "POST", headers, body }),
    );
    expect(words(client, answer)).toBe("GOOD");
  });

  const ids = ["chat/m", "chat%2Fm", "chat%2fm"];
  it.each(ids)("/v1/models/%s is the model chat/m", async (id) => {
    const headers = { authorization: `Bearer ${where.key}` };
    const answer = await exactly(hostOf("A"), { path: `/v1/models/${id}`, headers });
    expect(answer.json).toMatchObject({ id: "chat/m", object: "model", owned_by: "chat" });
  });

  it("model ids are decoded once", async () => {
    const lane = openLane();
    const models = [{ id: "a b" }, { id: "a%20b" }, { id: "a/b:c@d" }, { id: "50%" }, { id: "ü" }];
    const scene = await world({
      providers: [provider({ id: "lab", format: "chat", lane, models })],
    });
    const headers = { authorization: `Bearer ${scene.key}` };
    for (const { id } of models) {
      const answer = await read(
        await sendRequest(`/v1/models/lab%2F${encodeURIComponent(id)}`, { headers }),
      );
      expect(answer.json["id"], answer.text).toBe(`lab/${id}`);
    }
  });

  const strange = [
    "/v1/models/%",
    "/v1/models/%E0%A4%A",
    "/v1/models/%00",
    "/v1/models/chat%2Fnothing",
    "/v1/models/__proto__",
    "/v1/models/constructor",
    "/v1/models//",
    `/v1/models/${"x".repeat(8000)}`,
    "/v1/models/auto/x",
    "/v1//chat/completions",
    "/v1/chat/completions/x",
    "/v1/%63hat/completionsx",
    "/v1/../v1/nothing",
    `/v1/${"deep/".repeat(1000)}`,
    "/v1/v1/v1/models",
    "/v1/models.json",
    "/v1/messages/../nothing",
  ];
  const oddPaths = variants.flatMap((variant) => strange.map((path) => ({ variant, path })));
  it.each(oddPaths)("$variant: $path is not found", async ({ variant, path }) => {
    const headers = { authorization: `Bearer ${keys.get(variant)}` };
    const answer = await exactly(hostOf(variant), { path, headers });
    expect(answer.status, answer.text).toBe(404);
    expect(answer.error["code"]).toBe(
      variant === "B"
        ? 404
        : path.startsWith("/v1/models/") && path !== "/v1/models//"
          ? "model_not_available"
          : answer.error["code"],
    );
    expectBaseHeaders(answer, "chat");
  });

  const outside = ["/nothing", "/v2/models", "/chat/completionsx", "/V1/models", "/v1x", "/.env"];
  const lost = variants.flatMap((variant) => outside.map((path) => ({ variant, path })));
  it.each(lost)("$variant: $path is an unknown path in the envelope", async ({ variant, path }) => {
    const answer = await read(await sendRequest(path, {}, variant));
    expectEnvelope(answer, { code: "M301", client: "chat", variant });
  });
});

describe("keys that are none", () => {
  const headers: Record<string, string>[] = [
    { authorization: "Bearer" },
    { authorization: "Bearer\t" },
    { authorization: "" },
    { authorization: "Bearer gw_" },
    { authorization: `Bearer gw_${"x".repeat(10_000)}` },
    { authorization: `Bearer gw_${"=".repeat(43)}` },
    { authorization: `Bearer gw_${"a".repeat(43)} gw_${"b".repeat(43)}` },
    { authorization: "Bearer gw_../../etc" },
    { authorization: "Bearer null" },
    { authorization: "Digest username=x" },
    { authorization: "gw_" },
    { authorization: "Bearer: gw_x" },
    { "x-api-key": "gw_" },
    { "x-api-key": "Bearer gw_x" },
    { "x-api-key": "\u00e9" },
  ];
  const rows = variants.flatMap((variant) =>
    headers.map((given) => ({ variant, given, shown: JSON.stringify(given).slice(0, 60) })),
  );

  it.each(rows)("$variant: $shown", async ({ variant, given }) => {
    const scene = { ...where, host: hostOf(variant) };
    const answer = await asked(scene, { client: "chat", key: "", headers: given });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(answer.error["code"]).toBe(variant === "A" ? "gateway_auth" : 401);
    expect(answer.text).not.toContain("gw_xx");
  });
});

describe("count_tokens", () => {
  const rows = [
    ...bodies.slice(0, 8).map(({ text }) => text),
    ...wrongModels.map((row) => JSON.stringify(broken("messages", row))),
  ];

  it.each(rows.map((text) => ({ text, shown: String(text).slice(0, 40) })))(
    "$shown is refused",
    async ({ text }) => {
      const answer = await read(
        await sendRequest("/v1/messages/count_tokens", {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${where.key}` },
          body: text,
        }),
      );
      expectEnvelope(answer, { code: "M300", client: "messages", variant: "A" });
    },
  );

  it("needs no max_tokens", async () => {
    const { max_tokens: _, ...body } = request("messages", { model: "chat/m" });
    const answer = await read(
      await sendRequest("/v1/messages/count_tokens", {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${where.key}` },
        body: JSON.stringify(body),
      }),
    );
    expect(answer.json).toEqual({ input_tokens: expect.any(Number) });
  });
});

describe("an error in the assistant's words, heard by the official clients", () => {
  const openai = (): OpenAI =>
    new OpenAI({ baseURL: `${hostOf("A").base}/v1`, apiKey: forged, maxRetries: 0 });
  const anthropic = (): Anthropic =>
    new Anthropic({ baseURL: hostOf("A").base, authToken: forged, apiKey: null, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "hi" }];
  const rendering = { headers: { accept: "text/event-stream" } };

  it("chat, streamed and whole", async () => {
    const body = { model: "auto", messages };
    const streamed = await openai().chat.completions.stream(body).finalChatCompletion();
    const whole = await openai().chat.completions.create(body, rendering);
    for (const { choices, model } of [streamed, whole]) {
      expect(model).toBe("auto");
      expect(choices[0]?.message.content).toMatch(/^\[gateway M005\] /);
      expect(choices[0]?.finish_reason).toBe("stop");
    }
  });

  it("Responses, streamed and whole", async () => {
    const body = { model: "auto", input: "hi" };
    const streamed = await openai().responses.stream(body).finalResponse();
    const whole = await openai().responses.create(body, rendering);
    for (const { output_text, status, model } of [streamed, whole]) {
      expect(model).toBe("auto");
      expect(output_text).toMatch(/^\[gateway M005\] /);
      expect(status).toBe("completed");
    }
  });

  it("Messages, streamed and whole", async () => {
    const body = { model: "auto", max_tokens: 50, messages };
    const streamed = await anthropic().messages.stream(body).finalMessage();
    const whole = await anthropic().messages.create(body, rendering);
    for (const { content, stop_reason, model } of [streamed, whole]) {
      expect(model).toBe("auto");
      expect(content).toMatchObject([
        { type: "text", text: expect.stringMatching(/^\[gateway M005\] /) },
      ]);
      expect(stop_reason).toBe("end_turn");
    }
  });

  it("with the status instead where nobody asked for a stream", async () => {
    const body = { model: "auto", messages };
    await expect(openai().chat.completions.create(body)).rejects.toMatchObject({
      status: 401,
      code: "gateway_auth",
      type: "auth_error",
    });
    await expect(anthropic().messages.create({ ...body, max_tokens: 50 })).rejects.toMatchObject({
      status: 401,
      requestID: expect.stringMatching(/^req_/),
    });
  });
});
