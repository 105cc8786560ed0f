/** Laws of answers, over every client beside every provider. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { anyReply, common, speech } from "../kit/generate.ts";
import { grammars } from "../kit/grammar.ts";
import { meaningOf, plainBlocks } from "../kit/meaning.ts";
import { context, echo } from "../kit/neutral.ts";
import {
  clientFormatNames,
  pairs,
  providerBody,
  providerError,
  providerFormatNames,
  providerStream,
  wireBlocks,
} from "../kit/providers.ts";
import { random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";

const cases = seeds(150);
const faults = seeds(25);

function read(format: FormatName, text: string): ReplyEvent[] {
  const reader = providerFormats[format].eventReader(context());
  return [...reader.feed(text), ...reader.end()];
}

function reply(events: readonly ReplyEvent[]): Reply {
  const found = collect(events);
  if ("failure" in found) throw new Error(`it failed: ${found.failure.message}`);
  return found;
}

/** The client's stream, each event written on its own. */
function write(client: ClientFormatName, events: readonly ReplyEvent[]): string {
  const writer = clientFormats[client].eventWriter(echo());
  return events.map((event) => writer.write([event])).join("");
}

const wantsUsage = { wantsUsage: true };

describe.each(providerFormatNames)("a provider of %s", (format) => {
  it("is understood: what was written is read, streamed and whole", () => {
    for (const seed of cases) {
      const rng = random(seed);
      const said = anyReply(rng, speech[format]);
      const streamed = reply(read(format, providerStream(format, said, rng)));
      const whole = reply(providerFormats[format].readReply(providerBody(format, said), context()));
      for (const heard of [streamed, whole]) {
        expect(meaningOf(heard, "messages"), `seed ${seed}`).toEqual(meaningOf(said, "messages"));
        expect(plainBlocks(heard), `seed ${seed}`).toEqual(plainBlocks(said));
      }
      expect(streamed.blocks, `seed ${seed}`).toEqual(whole.blocks);
    }
  });
});

describe.each(pairs)("$client in front of $provider", ({ client, provider }) => {
  const can = common(speech[client], speech[provider]);

  it("hears what was said, streamed and whole alike, in its own grammar", () => {
    for (const seed of cases) {
      const rng = random(seed);
      const said = anyReply(rng, {
        ...speech[provider],
        custom: can.custom,
        namespaces: can.namespaces,
        refusal: can.refusal,
      });
      const events = read(provider, providerStream(provider, said, rng));
      const text = write(client, events);
      expect(grammars[client](text, wantsUsage), `seed ${seed}`).toEqual({
        ended: "normal",
        broken: [],
      });
      const streamed = reply(read(client, text));
      const body = clientFormats[client].writeReply(reply(events), echo());
      const whole = reply(providerFormats[client].readReply(body, context()));
      const meant = meaningOf(said, client);
      expect(meaningOf(streamed, client), `streamed, seed ${seed}`).toEqual(meant);
      expect(meaningOf(whole, client), `whole, seed ${seed}`).toEqual(meant);
    }
  });

  it("never takes a broken answer for a whole one, wherever it breaks", () => {
    for (const seed of faults) {
      const rng = random(seed);
      const said = anyReply(rng, speech[provider]);
      const blocks = wireBlocks(providerStream(provider, said, rng));
      for (let cut = 0; cut < blocks.length; cut++) {
        const start = blocks.slice(0, cut).join("");
        const half = start + (blocks[cut] ?? "").slice(0, rng.int(0, 40));
        for (const text of [start, half]) {
          const events = read(provider, text);
          const verdict = grammars[client](write(client, events), wantsUsage);
          const at = `seed ${seed}, cut ${cut}`;
          if (verdict.ended === "error") expect(verdict.broken, at).toEqual([]);
          else {
            // Only what came behind the answer's own end may be missing.
            expect(verdict, at).toEqual({ ended: "normal", broken: [] });
            expect(meaningOf(reply(events), client), at).toMatchObject({
              ...meaningOf(said, client),
              usage: {},
            });
          }
        }
      }
    }
  });

  it("hears of a failure in its own words and of nothing after it, wherever it happens", () => {
    for (const seed of faults) {
      const rng = random(seed);
      const said = anyReply(rng, speech[provider]);
      const blocks = wireBlocks(providerStream(provider, said, rng));
      const at = rng.int(0, blocks.length - 1);
      const stated = [
        ...blocks.slice(0, at),
        providerError(provider, "out of steam"),
        ...blocks.slice(at),
      ].join("");
      const text = write(client, read(provider, stated));
      expect(text, `seed ${seed}`).toContain("out of steam");
      expect(grammars[client](text, wantsUsage), `seed ${seed}`).toEqual({
        ended: "error",
        broken: [],
      });
      const events = read(provider, blocks.join(""));
      const lost = events.slice(0, rng.int(0, events.length - 2));
      const failure = { cause: "reset", status: 502, message: "out of steam" } as const;
      const torn = write(client, [...lost, { kind: "fail", failure }]);
      expect(grammars[client](torn, wantsUsage), `seed ${seed}`).toEqual({
        ended: "error",
        broken: [],
      });
    }
  });
});

describe.each(clientFormatNames)("a %s client that waits", (client) => {
  it("gets keep-alives that its grammar allows between any two events", () => {
    for (const seed of cases) {
      const rng = random(seed);
      const said = anyReply(rng, speech[client]);
      const writer = clientFormats[client].eventWriter(echo());
      const text = read(client, providerStream(client, said, rng))
        .map(
          (event) =>
            writer.write([event]) +
            (event.kind === "delta" && rng.chance(0.5) ? writer.keepAlive() : ""),
        )
        .join("");
      expect(grammars[client](text, wantsUsage), `seed ${seed}`).toEqual({
        ended: "normal",
        broken: [],
      });
      expect(meaningOf(reply(read(client, text)), client)).toEqual(meaningOf(said, client));
    }
  });
});
