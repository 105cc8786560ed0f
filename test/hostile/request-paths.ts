/** Every way through the code that a client's request takes, each as work on one request. */
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { droppedHeader } from "../../src/gateway/headers.ts";
import { parseBody } from "../../src/gateway/request/body.ts";
import { Problem } from "../../src/core/problem.ts";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import type { Traits } from "../../src/core/model.ts";
import type { ModelRequest } from "../../src/core/request.ts";
import { copyExact } from "../../src/lib/exact.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { planAuto } from "../../src/routing/plan.ts";
import { observationsOf, observedSessionKey } from "../../src/routing/learning/observations.ts";
import { countTokens, estimateRequest } from "../../src/tokens/estimate.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { target } from "../kit/neutral.ts";
import { providerFormatNames } from "../kit/providers.ts";
import { four, tierConfig } from "../routing/kit.ts";

/** A client's request, as far as it was understood. */
export interface Asked {
  readonly format: ClientFormatName;
  readonly text: string;
  readonly body: JsonObject;
  /** Undefined where the request is refused. */
  readonly request: ModelRequest | undefined;
}

export interface RequestPath {
  readonly name: string;
  readonly run: (asked: Asked) => void;
}

/** The request, or undefined for one that is refused in words. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem && error.marker === "M300") return undefined;
    throw error;
  }
}

export function asked(format: ClientFormatName, body: JsonObject): Asked {
  const text = JSON.stringify(body);
  return {
    format,
    text,
    body,
    request: unlessRefused(() => clientFormats[format].readRequest(body)),
  };
}

/** Models at the other end of what a format's providers take. */
const otherTraits: Readonly<Record<FormatName, Partial<Traits>>> = {
  chat: { customTools: true, toolNameLength: 40, openAiFields: false },
  responses: { namespaces: false, customTools: false },
  messages: { systemInTurns: true, schemaOutput: false, reasoning: "adaptive" },
  gemini: { jsonSchemaTools: false, mediaInResults: false, mixedTools: false },
};

const headers = new Headers();
const harness = { id: "h", routing: { ...tierConfig, learning: true } };

function plan(request: ModelRequest): ReturnType<typeof planAuto> {
  return planAuto({ request, headers, harness, models: four, resolve: () => undefined });
}

const ofTranslation = providerFormatNames.flatMap((name): RequestPath[] => {
  const write =
    (traits: Partial<Traits>): RequestPath["run"] =>
    ({ request }) =>
      void (
        request &&
        unlessRefused(() => {
          const { body, dropped } = providerFormats[name].writeRequest(
            request,
            target(name, traits),
          );
          droppedHeader(dropped);
          return JSON.stringify(body);
        })
      );
  return [
    { name: `write ${name}`, run: write({}) },
    { name: `write ${name}, other traits`, run: write(otherTraits[name]) },
  ];
});

export const requestPaths: readonly RequestPath[] = [
  { name: "parse", run: ({ text }) => void parseBody(text, () => undefined) },
  {
    name: "check",
    run({ format, body }) {
      unlessRefused(() => clientFormats[format].checkRequest(body));
    },
  },
  {
    name: "describe",
    run({ format, body, text }) {
      clientRequest(clientFormats[format], { body, text });
      clientFormats[format].echoed(body);
    },
  },
  {
    name: "read",
    run: ({ format, body }) => void unlessRefused(() => clientFormats[format].readRequest(body)),
  },
  ...ofTranslation,
  {
    name: "relay",
    run({ format, body }) {
      const { body: relayed } = providerFormats[format].relayRequest({
        body,
        target: target(format),
        parameters: { max_tokens: 10 },
        asIs: false,
      });
      const copy = copyExact(relayed);
      providerFormats[format].scrub(copy, "lab");
    },
  },
  {
    name: "count",
    run({ request }) {
      if (request === undefined) return;
      for (const name of providerFormatNames) estimateRequest(request, name);
      countTokens(request);
    },
  },
  { name: "plan", run: ({ request }) => void (request && plan(request)) },
  {
    name: "learn",
    run({ request }) {
      if (request === undefined) return;
      observedSessionKey({ request, conversation: undefined, headers, harness });
      observationsOf({
        decision: plan(request),
        model: "lab/small",
        session: null,
        request: () => request,
        ending: {
          kind: "answered",
          stop: "end",
          calls: Array.from({ length: 30 }, () => ({ name: "tool_1", input: "{}" })),
        },
      });
    },
  },
];
