/** Laws of requests, over every client in front of every provider. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { asked, type Asked } from "../kit/asked.ts";
import { clientBody, tame, wild, type Conversation } from "../kit/conversation.ts";
import { target } from "../kit/neutral.ts";
import { clientFormatNames, pairs } from "../kit/providers.ts";
import { random } from "../kit/random.ts";
import { brokenRules } from "../kit/rules.ts";
import { seeds } from "../kit/sample.ts";

const cases = seeds(120);

/** Formats with a word for a tool that failed. */
const canFail: ReadonlySet<FormatName> = new Set(["messages", "gemini"]);

function translated(
  pair: { client: ClientFormatName; provider: FormatName },
  body: JsonObject,
): JsonObject {
  return providerFormats[pair.provider].writeRequest(
    clientFormats[pair.client].readRequest(body),
    target(pair.provider),
  ).body;
}

/** Texts that must all be there, in this order. */
function missing(texts: readonly string[], whole: string): string | undefined {
  let at = 0;
  for (const text of texts) {
    const found = whole.indexOf(text, at);
    if (found < 0) return text;
    at = found + text.length;
  }
  return undefined;
}

const texts = (talk: Conversation, who: "system" | "user" | "assistant"): string[] =>
  talk.steps.flatMap((step) => ("text" in step && step.who === who ? [step.text] : []));

/** Chat has no pictures in results and, as Responses, no word for failed ones: its client cannot have said them. */
function asSaid(client: ClientFormatName, talk: Conversation): Conversation {
  const steps = talk.steps.map((step) => {
    if (step.who !== "results") return step;
    const results = step.results.map(({ id, text, error, image }) => ({
      id,
      text,
      error: error && (client === "messages" || client === "gemini"),
      ...(image !== undefined && client !== "chat" && { image }),
    }));
    return { ...step, results };
  });
  return { ...talk, steps, stop: client === "responses" ? [] : talk.stop };
}

const plain = (value: string): string => value.replaceAll(/\s+/g, "");

function expectSaid(
  found: Asked,
  talk: Conversation,
  { at, flags }: { at: string; flags: boolean },
): void {
  const calls = talk.steps.flatMap((step) => (step.who === "assistant" ? step.calls : []));
  expect(found.calls, at).toEqual(calls.map(({ name, args }) => ({ name, args })));
  const results = talk.steps.flatMap((step) => (step.who === "results" ? step.results : []));
  expect(
    found.results.map((result) => result.call),
    at,
  ).toEqual(results.map(({ id }) => calls.findIndex((call) => call.id === id)));
  results.forEach((result, index) => {
    // A provider without a word for failures may get it in the text.
    if (flags) expect(found.results[index]?.error, at).toBe(result.error);
    expect(plain(found.results[index]?.text ?? ""), at).toContain(plain(result.text));
  });
  expect(found.pictures.toSorted(), at).toEqual(pictures(talk).toSorted());
  expect(missing(texts(talk, "system"), found.system + found.user), at).toBeUndefined();
  expect(missing(texts(talk, "user"), found.user), at).toBeUndefined();
  expect(found.assistant, at).toBe(texts(talk, "assistant").join(""));
}

function pictures(talk: Conversation): string[] {
  return talk.steps.flatMap((step) => {
    if (step.who === "user") return step.image ?? [];
    return step.who === "results" ? step.results.flatMap(({ image }) => image ?? []) : [];
  });
}

function expectSettings(found: Asked, talk: Conversation, at: string): void {
  expect(
    found.tools.map(({ name, description }) => ({ name, description })),
    at,
  ).toEqual(talk.tools.map(({ name, description }) => ({ name, description })));
  found.tools.forEach((tool, index) =>
    expect(tool.schema, at).toMatchObject(propertiesOf(talk.tools[index]?.schema)),
  );
  const { choice } = talk;
  if (choice !== undefined)
    expect(found.choice, at).toBe(typeof choice === "string" ? choice : `tool:${choice.name}`);
  expect(found.max, at).toBe(talk.max);
  if (talk.temperature !== undefined) expect(found.temperature, at).toBe(talk.temperature);
  if (talk.topP !== undefined) expect(found.topP, at).toBe(talk.topP);
}

function propertiesOf(schema: JsonObject | undefined): object {
  return { properties: schema?.["properties"], required: schema?.["required"] };
}

/** Newer models of Messages take one of both; Gemini's clients always send both, and the temperature counts. */
function asTaken(
  { client, provider }: { client: ClientFormatName; provider: FormatName },
  { topP, ...talk }: Conversation,
): Conversation {
  const isDropped =
    client === "gemini" && provider === "messages" && talk.temperature !== undefined;
  return { ...talk, ...(topP !== undefined && !isDropped && { topP }) };
}

describe.each(pairs)("$client to $provider", (pair) => {
  it("asks what the client asked: words, calls, results, pictures, tools, settings", () => {
    for (const seed of cases) {
      const talk = asSaid(pair.client, tame(random(seed)));
      const found = asked(pair.provider, translated(pair, clientBody(pair.client, talk)));
      expectSaid(found, talk, { at: `seed ${seed}`, flags: canFail.has(pair.provider) });
      expectSettings(found, asTaken(pair, talk), `seed ${seed}`);
      if (pair.provider !== "responses") expect(found.stop, `seed ${seed}`).toEqual(talk.stop);
    }
  });

  it("normalizes what providers refuse, and loses no word of it", () => {
    for (const seed of cases) {
      const talk = wild(random(seed + 1000));
      const body = translated(pair, clientBody(pair.client, talk));
      expect(brokenRules(pair.provider, body), `seed ${seed}`).toEqual([]);
      const found = asked(pair.provider, body);
      const all = plain(
        [
          found.system,
          found.user,
          found.assistant,
          ...found.results.map((result) => result.text),
        ].join("\n"),
      );
      for (const who of ["system", "user", "assistant"] as const) {
        for (const text of texts(talk, who)) expect(all, `seed ${seed}`).toContain(plain(text));
      }
      for (const step of talk.steps) {
        if (step.who !== "results") continue;
        for (const { text } of step.results) expect(all, `seed ${seed}`).toContain(plain(text));
      }
    }
  });

  it("says the same however often it is said", () => {
    for (const seed of seeds(20)) {
      const body = clientBody(pair.client, wild(random(seed)));
      const before = JSON.stringify(body);
      expect(translated(pair, body), `seed ${seed}`).toEqual(translated(pair, body));
      expect(JSON.stringify(body), `seed ${seed}`).toBe(before);
    }
  });
});

describe.each(clientFormatNames)("a request in %s", (format) => {
  it("is read as it was written: writing what was read changes nothing more", () => {
    for (const seed of cases) {
      const talk = seed % 2 === 0 ? asSaid(format, tame(random(seed))) : wild(random(seed));
      const once = translated({ client: format, provider: format }, clientBody(format, talk));
      const twice = translated({ client: format, provider: format }, { ...once, model: "m" });
      expect(twice, `seed ${seed}`).toEqual(once);
    }
  });
});
