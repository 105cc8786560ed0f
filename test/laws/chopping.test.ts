/** However a provider's bytes are cut, a client gets the same bytes. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { chopped } from "../kit/chop.ts";
import { anyReply, common, speech } from "../kit/generate.ts";
import { context, echo } from "../kit/neutral.ts";
import { pairs, providerStream } from "../kit/providers.ts";
import { random, type Random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";

/** All pairs together: at least a hundred thousand random cuts in the full scope. */
const answersPerPair = 210;
const cutsPerAnswer = 40;

function through(
  pair: { client: ClientFormatName; provider: FormatName },
  pieces: readonly string[],
): string {
  const reader = providerFormats[pair.provider].eventReader(context());
  const writer = clientFormats[pair.client].eventWriter(echo());
  let text = "";
  for (const piece of pieces) {
    const events = reader.feed(piece);
    if (events.length > 0) text += writer.write(events);
  }
  return text + writer.write(reader.end());
}

/** The same stream written another way: line ends, comments, data without the space, a byte order mark. */
function dressed(text: string, rng: Random): string {
  let out = text.replaceAll("\r\n", "\n");
  if (rng.chance(0.3)) out = out.replaceAll(/^data: /gm, "data:");
  if (rng.chance(0.3)) out = out.replaceAll("\n\n", "\n\n: still here\n\n");
  if (rng.chance(0.4)) out = out.replaceAll("\n", "\r\n");
  return rng.chance(0.2) ? `\uFEFF${out}` : out;
}

describe("choppings", () => {
  it("are a hundred thousand at least", () => {
    expect(pairs.length * answersPerPair * cutsPerAnswer).toBeGreaterThanOrEqual(100_000);
  });

  it.each(pairs)("of $provider change nothing for a client of $client", (pair) => {
    const can = common(speech[pair.client], speech[pair.provider]);
    const encoder = new TextEncoder();
    for (const seed of seeds(answersPerPair)) {
      const rng = random(seed * 31 + pairs.indexOf(pair));
      const plain = providerStream(pair.provider, anyReply(rng, can), rng);
      const expected = through(pair, [plain]);
      for (let cut = 0; cut < cutsPerAnswer; cut++) {
        const text = rng.chance(0.5) ? plain : dressed(plain, rng);
        const got = through(pair, chopped(encoder.encode(text), rng));
        if (got !== expected) expect(got, `seed ${seed}, cut ${cut}`).toBe(expected);
      }
    }
  });
});
