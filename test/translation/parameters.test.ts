import { describe, expect, it } from "vitest";

import {
  clientFormatNames,
  formatNames,
  type ClientFormatName,
} from "../../src/core/format-name.ts";
import type { FormatName } from "../../src/core/format-name.ts";
import { defaultTraits, type Target } from "../../src/core/model.ts";
import { listedParameters, parameterRows, type ParameterRow } from "../../src/core/parameters.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { applyParameters } from "../../src/translation/apply-parameters.ts";
import { putPath, readPath } from "../../src/translation/members.ts";
import { wireParameter } from "../../src/translation/parameters.ts";
import { isChatParameter } from "../../src/translation/saved-parameters.ts";

type Row = (typeof parameterRows)[number];

const requests: Readonly<Record<ClientFormatName, JsonObject>> = {
  chat: { model: "m", messages: [{ role: "user", content: "hello" }] },
  responses: { model: "m", input: "hello" },
  messages: { model: "m", max_tokens: 100, messages: [{ role: "user", content: "hello" }] },
  gemini: { model: "m", contents: [{ role: "user", parts: [{ text: "hello" }] }] },
};

/** A value that no format takes for nothing; rows whose values are words of a list have one of them. */
function sample({ type, field }: Row): JsonValue {
  switch (type) {
    case "number":
      return 0.5;
    case "boolean":
      return true;
    case "text":
      return field === "serviceTier" ? "default" : "some-text";
    case "object":
      return { member: "x" };
    default:
      return type satisfies never;
  }
}

function targetOf(format: FormatName): Target {
  const traits = { ...defaultTraits(format), openAiFields: true, cacheKey: true };
  return { model: "m", connection: "lab", format, traits, stream: false };
}

/** What a request of one format that sets `body` becomes for a provider of another. */
function translate(body: JsonObject, from: ClientFormatName, to: FormatName) {
  const request = clientFormats[from].readRequest(body);
  return providerFormats[to].writeRequest(request, targetOf(to));
}

function withValue(format: ClientFormatName, row: ParameterRow, value: JsonValue): JsonObject {
  const body = { ...requests[format] };
  const name = wireParameter(row, format)?.name;
  if (name !== undefined) putPath(body, name, value);
  return body;
}

const pairs = clientFormatNames.flatMap((from) =>
  formatNames.flatMap((to) =>
    parameterRows
      .filter((row) => wireParameter(row, from) !== undefined)
      .map((row) => ({ from, to, row, field: row.field })),
  ),
);

describe("every row of the parameter table", () => {
  it.each(pairs)("$field from $from to $to arrives or is reported", ({ from, to, row }) => {
    const path = wireParameter(row, from)?.name;
    const { body, dropped } = translate(withValue(from, row, sample(row)), from, to);
    const target = wireParameter(row, to)?.name;
    const arrived = target === undefined ? undefined : readPath(body, target);
    const reported = path !== undefined && dropped.includes(path);
    expect(arrived !== undefined || reported || row.required !== undefined).toBe(true);
    expect(arrived !== undefined && reported).toBe(false);
  });

  it.each(pairs)("$field from $from to a $to model without extras", ({ from, to, row }) => {
    const request = clientFormats[from].readRequest(withValue(from, row, sample(row)));
    const target = targetOf(to);
    const traits = {
      ...target.traits,
      openAiFields: false,
      cacheKey: false,
      extraSampling: [],
      sampling: "none" as const,
    };
    const { body, dropped } = providerFormats[to].writeRequest(request, { ...target, traits });
    const wire = wireParameter(row, to);
    const path = wireParameter(row, from)?.name ?? "";
    if (wire?.needs !== undefined || row.steersSampling === true) {
      expect(wire && readPath(body, wire.name)).toBeUndefined();
      expect(dropped).toContain(path);
    }
  });

  it.each(pairs.filter(({ row }) => row.idle !== undefined))(
    "$field from $from to $to is not reported when it changes nothing",
    ({ from, to, row }) => {
      const { dropped } = translate(withValue(from, row, row.idle ?? null), from, to);
      expect(dropped).toEqual([]);
    },
  );

  it.each(formatNames)("has a saved form that a request for %s carries", (format) => {
    const request = clientFormats.chat.readRequest(requests.chat);
    for (const row of parameterRows) {
      if (row.saved === undefined) continue;
      const applied = applyParameters(request, { [row.saved]: sample(row) });
      const holder: Readonly<Record<string, unknown>> = {
        ...applied,
        ...applied.sampling,
      };
      expect(holder[row.field]).toEqual(sample(row));
      expect(isChatParameter(row.saved)).toBe(true);
      // What the client did not write is never reported under its name.
      expect(providerFormats[format].writeRequest(applied, targetOf(format)).dropped).toEqual([]);
    }
  });

  it("is named once in each format, and once as a saved parameter", () => {
    for (const format of formatNames) {
      const names = parameterRows.flatMap((row) => wireParameter(row, format)?.name ?? []);
      expect(new Set(names).size).toBe(names.length);
    }
    const saved = parameterRows.flatMap((row) => row.saved ?? []);
    expect(new Set(saved).size).toBe(saved.length);
  });

  it("that has a form is offered by the dashboard under its saved name", () => {
    const listed = listedParameters.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(["temperature", "max_tokens", "seed"]));
    for (const { saved, form } of parameterRows)
      expect(listed.includes(saved ?? "")).toBe(saved !== undefined && form !== undefined);
  });
});

describe("several answers", () => {
  it.each(["responses", "messages", "gemini"] as const)(
    "are refused for %s, which gives one",
    (to) => {
      expect(() => translate({ ...requests.chat, n: 2 }, "chat", to)).toThrow(/^n: /);
    },
  );
});
