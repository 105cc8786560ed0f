/** Tools keep their identity there and back: names of any length and letters, namespaces, freeform input. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { wrapFreeform } from "../../src/translation/freeform.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { list, object, text, type Loose } from "../kit/loose.ts";
import { context, echo, target } from "../kit/neutral.ts";
import { pairs, providerBody, providerStream } from "../kit/providers.ts";
import { random, type Random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";

interface Tool {
  name: string;
  namespace?: string;
  call: "function" | "custom";
}

const names = [
  "read",
  "mcp.tracker/list issues",
  `mcp__${"very_".repeat(14)}long_one`,
  `mcp__${"very_".repeat(14)}long_two`,
  "9lives",
  "ünïcode",
  "a_b",
  "a.b",
  "a b",
] as const;

function anyTools(client: ClientFormatName, rng: Random): Tool[] {
  const functions = names
    .filter(() => rng.chance(0.6))
    .map((name): Tool => ({ name, call: "function" }));
  const custom: Tool[] =
    client === "messages" || client === "gemini" ? [] : [{ name: "apply_patch", call: "custom" }];
  const spaced: Tool[] =
    client === "responses"
      ? [
          { name: "read", namespace: "files", call: "function" },
          { name: "files__read", call: "function" },
        ]
      : [];
  return [...functions, ...custom, ...spaced];
}

function declared(client: ClientFormatName, tool: Tool): JsonObject {
  const { name, call } = tool;
  const schema = { type: "object", properties: {} };
  if (client === "messages") return { name, input_schema: schema };
  if (client === "gemini") return { name, description: "d", parameters: schema };
  const flat =
    call === "custom" ? { name, description: "d" } : { name, description: "d", parameters: schema };
  if (client === "chat") return { type: call, [call]: flat };
  const own = { type: call, ...flat };
  return tool.namespace === undefined
    ? own
    : { type: "namespace", name: tool.namespace, description: "d", tools: [own] };
}

function request(client: ClientFormatName, tools: Tool[]): JsonObject {
  if (client === "gemini") {
    const entries = tools.map((tool) => ({ functionDeclarations: [declared(client, tool)] }));
    return { model: "m", contents: [{ parts: [{ text: "go" }] }], tools: entries };
  }
  const said = [{ role: "user", content: "go" }];
  const talk = client === "responses" ? { input: said } : { messages: said };
  return {
    model: "m",
    max_tokens: 100,
    ...talk,
    tools: tools.map((tool) => declared(client, tool)),
  };
}

/** Names as the provider was told them, and whether their input is free text. */
function offered(provider: FormatName, body: Loose): { name: string; custom: boolean }[] {
  const tools =
    provider === "gemini"
      ? list(body["tools"]).flatMap((tool) => list(tool["functionDeclarations"]))
      : list(body["tools"]);
  return tools.map((tool) => {
    const custom = tool["type"] === "custom" && provider !== "messages";
    const inner = provider === "chat" ? object(tool[custom ? "custom" : "function"]) : tool;
    return { name: text(inner["name"]), custom };
  });
}

const raw = '*** Begin Patch\n+ "quoted" \\ 🏔\n*** End Patch\n';
const translated = pairs.filter(({ client, provider }) => client !== provider);

describe.each(translated)(
  "tools of a $client client at a provider of $provider",
  ({ client, provider }) => {
    it("have legal, distinct names there and their own names back", () => {
      for (const seed of seeds(60)) {
        const rng = random(seed);
        const tools = anyTools(client, rng);
        const at = `seed ${seed}`;
        const written = providerFormats[provider].writeRequest(
          clientFormats[client].readRequest(request(client, tools)),
          target(provider),
        );
        const known = offered(provider, written.body);
        expect(known.length, at).toBe(tools.length);
        expect(new Set(known.map(({ name }) => name)).size, at).toBe(tools.length);
        for (const { name } of known) expect(name, at).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        if (provider === "gemini")
          for (const { name } of known) expect(name, at).toMatch(/^[A-Za-z_]/);

        const said: Reply = {
          blocks: tools.map((tool, index) => {
            const wire = written.names.toWire(tool.name, tool.namespace);
            const custom = known.find(({ name }) => name === wire)?.custom === true;
            const input = tool.call === "function" ? '{"a":1}' : custom ? raw : wrapFreeform(raw);
            return {
              kind: "call",
              id: `call_${index}`,
              name: wire,
              call: custom ? "custom" : "function",
              input,
            };
          }),
          usage: { input: 1, output: 1 },
          stop: { reason: "tools" },
        };
        const heard = [
          providerFormats[provider].readReply(
            providerBody(provider, said),
            context("lab", written.names),
          ),
          streamed(provider, providerStream(provider, said, rng), written.names),
        ];
        for (const events of heard) {
          const reply = collect(events);
          if ("failure" in reply) throw new Error(reply.failure.message);
          const back = collect(
            providerFormats[client].readReply(
              clientFormats[client].writeReply(reply, echo()),
              context(),
            ),
          );
          const stream = clientFormats[client].eventWriter(echo()).write(events);
          const again = collect(streamed(client, stream, context().names));
          for (const final of [back, again]) {
            const blocks = "failure" in final ? [] : final.blocks;
            expect(
              blocks.map(
                (block) =>
                  block.kind === "call" && {
                    name: block.name,
                    namespace: block.namespace,
                    call: block.call,
                    input: block.input,
                  },
              ),
              at,
            ).toEqual(
              tools.map(({ name, namespace, call }) => ({
                name,
                namespace,
                call,
                input: call === "custom" ? raw : '{"a":1}',
              })),
            );
          }
        }
      }
    });
  },
);

function streamed(
  format: FormatName,
  wire: string,
  toolNames: ReturnType<typeof context>["names"],
) {
  const reader = providerFormats[format].eventReader(context("lab", toolNames));
  return [...reader.feed(wire), ...reader.end()];
}
