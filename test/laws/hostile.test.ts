/** Whatever a client or a provider sends, nothing breaks: a refusal in words, a failure in the client's grammar, or an answer. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { Problem } from "../../src/core/problem.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { asObject, parseJson } from "../../src/lib/json.ts";
import { clientBody, wild } from "../kit/conversation.ts";
import { anyReply, speech } from "../kit/generate.ts";
import { grammars } from "../kit/grammar.ts";
import { mutated } from "../kit/mutate.ts";
import { context, echo, target } from "../kit/neutral.ts";
import {
  pairs,
  providerBody,
  providerFormatNames,
  providerStream,
  wireBlocks,
} from "../kit/providers.ts";
import { random, type Random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";

const cases = seeds(400);

/** The stream with one event of it damaged. */
function damaged(text: string, rng: Random): string {
  const blocks = wireBlocks(text);
  const at = rng.int(0, blocks.length - 1);
  const [, head = "", data = ""] = /^((?:event: .*\r?\n)?data: )(.*)/.exec(blocks[at] ?? "") ?? [];
  const value = parseJson(data);
  if (value === undefined) return text;
  return blocks.with(at, `${head}${JSON.stringify(mutated(value, rng))}\n\n`).join("");
}

function readAll(format: FormatName, text: string): ReplyEvent[] {
  const reader = providerFormats[format].eventReader(context());
  return [...reader.feed(text), ...reader.end()];
}

/** What the model itself wrote goes to the client as it is: clients tell the model. */
const ofTheModel = /^(?:arguments are not JSON|tool input is not JSON)/;

/** One end, and nothing behind it. */
function expectOneEnd(events: readonly ReplyEvent[], at: string): void {
  const ends = events.filter((event) => event.kind === "end" || event.kind === "fail");
  expect(ends.length, at).toBe(1);
  expect(events.at(-1), at).toBe(ends[0]);
}

function expectGrammar(client: ClientFormatName, events: readonly ReplyEvent[], at: string): void {
  const writer = clientFormats[client].eventWriter(echo());
  const text = events.map((event) => writer.write([event])).join("");
  const { ended, broken } = grammars[client](text, { wantsUsage: true });
  expect(
    broken.filter((rule) => !ofTheModel.test(rule)),
    at,
  ).toEqual([]);
  expect(ended, at).toMatch(events.at(-1)?.kind === "fail" ? /^error$/ : /^(?:normal|error)$/);
}

/** In one format the provider's bytes are relayed. */
const translated = pairs.filter(({ client, provider }) => client !== provider);

/** A whole answer, or the refusal to make one of something that the client's format has no words for. */
function expectWhole(client: ClientFormatName, reply: Reply): void {
  try {
    clientFormats[client].writeReply(reply, echo());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.status).toBe(502);
  }
}

describe.each(translated)("$client in front of $provider", ({ client, provider }) => {
  it("gets a grammatical end of a damaged answer", () => {
    for (const seed of cases) {
      const rng = random(seed);
      const at = `seed ${seed}`;
      const said = anyReply(rng, speech[provider]);
      const streamed = readAll(provider, damaged(providerStream(provider, said, rng), rng));
      expectOneEnd(streamed, at);
      expectGrammar(client, streamed, at);
      const whole = providerFormats[provider].readReply(
        mutated(providerBody(provider, said), rng),
        context(),
      );
      expectOneEnd(whole, at);
      const reply = collect(whole);
      if (!("failure" in reply)) expectWhole(client, reply);
    }
  });

  it("is refused in words when its request makes no sense, and translated when it does", () => {
    let understood = 0;
    for (const seed of cases) {
      const rng = random(seed);
      const body = asObject(mutated(clientBody(client, wild(rng)), rng, 3));
      if (!body) continue;
      try {
        providerFormats[provider].writeRequest(
          clientFormats[client].readRequest(body),
          target(provider),
        );
        understood++;
      } catch (error) {
        if (!(error instanceof Problem))
          throw new Error(`seed ${seed}: ${JSON.stringify(body).slice(0, 3000)}`, { cause: error });
        expect(error.marker).toBe("M300");
      }
    }
    expect(understood).toBeGreaterThan(cases.length / 10);
  });
});

describe.each(providerFormatNames)("a provider of %s", (provider) => {
  it.each([
    "",
    "null",
    "[]",
    "{}",
    "[[]]",
    '"x"',
    "<html>",
    "data: x\n\n",
    "\u0000",
    '{"error":',
    '{"error":null}',
    "[{}]",
  ])("that answers %j has failed", (text) => {
    expect(
      readAll(provider, text)
        .map((event) => event.kind)
        .at(-1),
    ).toBe("fail");
    const value = parseJson(text);
    if (value !== undefined)
      expect(providerFormats[provider].readReply(value, context()).at(-1)?.kind).toBe("fail");
    expect(providerFormats[provider].readFailure(500, text)).toMatchObject({ status: 500 });
  });
});
