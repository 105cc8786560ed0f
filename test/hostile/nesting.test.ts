/** However deep a client or a provider nests: a refusal in words or a translation, never an overflow of the stack. */
import { describe, expect, it } from "vitest";
import { parseBody } from "../../src/gateway/request/body.ts";
import { asProblem } from "../../src/gateway/problems.ts";
import type { ClientFormatName } from "../../src/core/format-name.ts";
import { collect } from "../../src/core/reply.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { deepestJson, isTooDeep, parseJson, type JsonValue } from "../../src/lib/json.ts";
import { context, echo } from "../kit/neutral.ts";
import { clientFormatNames, pairs, providerFormatNames } from "../kit/providers.ts";
import { eventPaths, readPieces } from "./answer-paths.ts";
import { asked, requestPaths } from "./request-paths.ts";

/** `{"a":{"a": … 1 … }}`, as text. */
const nested = (levels: number, open = '{"a":', close = "}"): string =>
  open.repeat(levels) + "1" + close.repeat(levels);

/** JSON text of requests with something nested in them. */
const requests: Readonly<
  Record<ClientFormatName, Readonly<Record<string, (inside: string) => string>>>
> = {
  chat: {
    schema: (inside) =>
      `{"model":"auto","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"t","parameters":${inside}}}]}`,
    "output schema": (inside) =>
      `{"model":"auto","messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${inside}}}}`,
    content: (inside) => `{"model":"auto","messages":[{"role":"user","content":[${inside}]}]}`,
    arguments: (inside) =>
      `{"model":"auto","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"t","arguments":${JSON.stringify(inside)}}}]},{"role":"tool","tool_call_id":"c","content":${JSON.stringify(inside)}}]}`,
    metadata: (inside) =>
      `{"model":"auto","messages":[{"role":"user","content":"x"}],"metadata":${inside},"z":${inside}}`,
  },
  responses: {
    schema: (inside) =>
      `{"model":"auto","input":"x","tools":[{"type":"function","name":"t","parameters":${inside}}]}`,
    item: (inside) => `{"model":"auto","input":[{"type":"new_call","raw":${inside}}]}`,
    output: (inside) =>
      `{"model":"auto","input":[{"type":"function_call","call_id":"c","name":"t","arguments":${JSON.stringify(inside)}},{"type":"function_call_output","call_id":"c","output":${inside}}]}`,
  },
  messages: {
    schema: (inside) =>
      `{"model":"auto","max_tokens":9,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","input_schema":${inside}}]}`,
    input: (inside) =>
      `{"model":"auto","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":${inside}}]}]}`,
  },
  gemini: {
    schema: (inside) =>
      `{"model":"auto","contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"t","parameters":${inside}}]}]}`,
    "JSON schema": (inside) =>
      `{"model":"auto","contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"t","parametersJsonSchema":${inside}}]}]}`,
    "output schema": (inside) =>
      `{"model":"auto","contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"responseMimeType":"application/json","responseSchema":${inside}}}`,
    arguments: (inside) =>
      `{"model":"auto","contents":[{"parts":[{"text":"x"}]},{"role":"model","parts":[{"functionCall":{"name":"t","args":${inside}}}]},{"parts":[{"functionResponse":{"name":"t","response":${inside}}}]}]}`,
    part: (inside) =>
      `{"model":"auto","contents":[{"parts":[{"text":"x"},{"partMetadata":${inside}}]}],"labels":${inside}}`,
  },
};

/** What repeats a construct that readers and writers follow by recursion. */
const constructs: readonly (readonly [open: string, close: string])[] = [
  ['{"a":', "}"],
  ["[", "]"],
  ['{"type":"object","properties":{"a":', "}}"],
  ['{"allOf":[', "]}"],
  ['{"anyOf":[{"type":"null"},', "]}"],
  ['{"type":"array","items":', "}"],
];

/** What is too deep is refused in words, before anything is parsed. */
function runOrRefuse(format: ClientFormatName, text: string): void {
  const request = unlessTooDeep(() =>
    asked(
      format,
      parseBody(text, () => undefined),
    ),
  );
  if (request === undefined) return;
  for (const { run } of requestPaths) unlessTooDeep(() => run(request));
}

function unlessTooDeep<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    expect(asProblem(error).marker).toBe("M300");
    return undefined;
  }
}

function runAll(format: ClientFormatName, text: string): void {
  const request = asked(
    format,
    parseBody(text, () => undefined),
  );
  for (const { run } of requestPaths) run(request);
}

describe.each(clientFormatNames)("a request in %s", (format) => {
  it.each(Object.entries(requests[format]))(
    "with a deep %s is refused or translated",
    (_, body) => {
      for (const [open, close] of constructs) {
        for (const levels of [100, 200, 100_000]) {
          runOrRefuse(format, body(nested(levels, open, close)));
        }
      }
    },
  );

  it("with as many levels as are read by recursion is read and written", () => {
    for (const body of Object.values(requests[format])) {
      for (const [open, close] of constructs) {
        const levels = Math.floor((deepestJson - 12) / (open.split(/[[{]/).length - 1));
        runAll(format, body(nested(levels, open, close)));
      }
    }
  });
});

it("documents within documents are read as deep as any value", () => {
  const open =
    '{"role":"user","content":[{"type":"document","source":{"type":"content","content":[';
  const inner = '{"type":"document","source":{"type":"content","content":[';
  const levels = Math.floor((deepestJson - 12) / 3);
  runAll(
    "messages",
    `{"model":"auto","max_tokens":9,"messages":[${open}${inner.repeat(levels)}${"]}}".repeat(levels)}]}}]}]}`,
  );
});

describe("an answer", () => {
  it.each(pairs)(
    "of $provider for a client of $client with deep arguments is delivered",
    (pair) => {
      const deep = nested(100_000);
      const { provider, client } = pair;
      const whole: Readonly<Record<string, JsonValue>> = {
        chat: {
          choices: [
            {
              message: { tool_calls: [{ id: "c", function: { name: "t", arguments: deep } }] },
              finish_reason: "stop",
            },
          ],
        },
        messages: {
          content: [{ type: "tool_use", id: "c", name: "t", input: { a: deep } }],
          stop_reason: "tool_use",
        },
        responses: {
          status: "completed",
          output: [{ type: "function_call", call_id: "c", name: "t", arguments: deep }],
        },
        gemini: {
          candidates: [
            {
              content: {
                parts: [
                  {
                    functionCall: {
                      name: "t",
                      partialArgs: [{ jsonPath: `$${".a".repeat(100_000)}`, stringValue: "x" }],
                    },
                  },
                ],
              },
              finishReason: "STOP",
            },
          ],
        },
      };
      const reply = collect(providerFormats[provider].readReply(whole[provider] ?? {}, context()));
      if ("failure" in reply) throw new Error(reply.failure.message);
      expect(JSON.stringify(clientFormats[client].writeReply(reply, echo()))).toContain('"t"');
    },
  );

  it.each(providerFormatNames)(
    "of %s that is nested too deep has failed or is over",
    (provider) => {
      for (const text of [
        `data: ${nested(100_000)}\n\n`,
        nested(100_000),
        nested(100_000, "[", "]"),
      ]) {
        const events = readPieces(provider, [text]);
        expect(events.at(-1)?.kind).toBe("fail");
        for (const path of eventPaths) path.run(events);
      }
      expect(providerFormats[provider].readFailure(500, nested(100_000)).status).toBe(500);
    },
  );
});

describe("JSON text", () => {
  it("is parsed up to its deepest level", () => {
    expect(parseJson(nested(deepestJson))).toBeDefined();
    expect(parseJson(nested(deepestJson + 1))).toBeUndefined();
    expect(parseJson(nested(100_000, "[", "]"))).toBeUndefined();
  });

  it("is not deep for the brackets in its strings", () => {
    const brackets = JSON.stringify({ a: `\\"${"[{".repeat(5000)}\\`, b: '"'.repeat(9) });
    expect(isTooDeep(brackets)).toBe(false);
    expect(parseJson(brackets)).toEqual(JSON.parse(brackets));
    expect(isTooDeep(`${JSON.stringify("[".repeat(999))}${"[".repeat(deepestJson + 1)}`)).toBe(
      true,
    );
  });
});
