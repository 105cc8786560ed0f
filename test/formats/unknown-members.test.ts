/** What a client says and a provider cannot be told is never lost in silence, wherever in the request it stands. */
import { describe, expect, it } from "vitest";
import type { WrittenRequest } from "../../src/core/format.ts";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import type { Traits } from "../../src/core/model.ts";
import { Problem } from "../../src/core/problem.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import { target } from "../kit/neutral.ts";
import { clientFormatNames, providerFormatNames } from "../kit/providers.ts";
import { richRequests, type RichRequest } from "../kit/rich-requests.ts";

const member = "x_unheard_of";
const value = "unheard-of value";

/** Models that take much, and models that take little. */
const models: Record<string, Partial<Traits>> = {
  able: { webSearch: true, customTools: true, reasoningEcho: true },
  plain: {
    webSearch: false,
    customTools: false,
    openAiFields: false,
    mixedTools: false,
    mediaInResults: false,
    schemaOutput: false,
    reasoning: "none",
  },
};

/** Members whose own members are the client's words, not the dialect's. */
const freeForm = new Set([
  "parameters",
  "input_schema",
  "schema",
  "metadata",
  "logit_bias",
  "parametersJsonSchema",
  "parameters_json_schema",
  "responseSchema",
  "responseJsonSchema",
  "response_json_schema",
  "args",
  "response",
]);

interface Spot {
  /** In the client's words. */
  path: string;
  keys: (string | number)[];
}

function* objectsIn(node: JsonValue | undefined, spot: Spot): Generator<Spot> {
  if (Array.isArray(node)) {
    for (const [at, entry] of node.entries())
      yield* objectsIn(entry, { path: `${spot.path}[]`, keys: [...spot.keys, at] });
  } else if (isObject(node)) {
    yield spot;
    for (const key of Object.keys(node)) {
      const isInput = key === "input" && node["type"] === "tool_use";
      if (freeForm.has(key) || isInput) continue;
      const path = spot.path === "" ? key : `${spot.path}.${key}`;
      yield* objectsIn(node[key], { path, keys: [...spot.keys, key] });
    }
  }
}

function withMember(body: JsonObject, keys: readonly (string | number)[]): JsonObject {
  const copy = structuredClone(body);
  let node: unknown = copy;
  // The keys were found in this very body.
  for (const key of keys) node = (node as Record<string | number, unknown>)[key];
  (node as JsonObject)[member] = value;
  return copy;
}

function written(pair: Pair, body: JsonObject): WrittenRequest {
  const turn = clientFormats[pair.client].readRequest(structuredClone(body));
  return providerFormats[pair.provider].writeRequest(
    turn,
    target(pair.provider, models[pair.model]),
  );
}

/** Whether the lists name the path or something that it stands in. */
function isTold({ dropped, quiet }: WrittenRequest, path: string): boolean {
  return [...dropped, ...quiet].some(
    (told) => path === told || path.startsWith(`${told}.`) || path.startsWith(`${told}[`),
  );
}

interface Pair {
  client: ClientFormatName;
  provider: FormatName;
  model: string;
}

const pairs: Pair[] = clientFormatNames.flatMap((client) =>
  providerFormatNames
    .filter((provider) => provider !== client)
    .flatMap((provider) => Object.keys(models).map((model) => ({ client, provider, model }))),
);

/** Paths of objects where an unheard-of member is neither sent nor told, or both. */
function faults(pair: Pair, { body }: RichRequest): string[] {
  const found = new Set<string>();
  for (const spot of objectsIn(body, { path: "", keys: [] })) {
    const path = spot.path === "" ? member : `${spot.path}.${member}`;
    const out = written(pair, withMember(body, spot.keys));
    const isSent = JSON.stringify(out.body).includes(value);
    if (!isSent && !isTold(out, path)) found.add(`${path} is lost`);
    if (isSent && out.dropped.includes(path)) found.add(`${path} is sent and listed`);
  }
  return [...found];
}

describe.each(pairs)("$client to an $model model that speaks $provider", (pair) => {
  it.each(richRequests[pair.client])("tells or sends each member of $title", (request) => {
    if (request.refusedBy?.includes(pair.provider) === true) {
      expect(() => written(pair, request.body)).toThrow(Problem);
      return;
    }
    expect(faults(pair, request)).toEqual([]);
  });
});
