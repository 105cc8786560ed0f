/** What goes wrong, and what a program catches. */
import { whole } from "../../../kit/script.ts";
import { textAnswer } from "../../trials/answers.ts";
import { wrongKey, type SdkBench, type SdkTrial } from "../bench.ts";
import type { Place } from "../driver.ts";
import type { SeenError } from "../sdk.ts";
import { unlessError, unlessValue } from "./judging.ts";

const text = "It worked in the end: déjà vu, 世界, 🎉.";
const fire = {
  error: { message: "the lab is on fire", type: "server_error", code: 500, status: "INTERNAL" },
};

/** The provider fails for good, then for one of the SDK's tries. */
const failure: SdkTrial = {
  name: "error-500",
  needs: "ask",
  async run(bench) {
    const { failure: expected } = bench.tried.way.errors;
    await bench.answer(() => whole(fire, 500));
    const problems = unlessError(await bench.start("ask").ended, expected);
    const requests = (await bench.rows()).length;
    if (requests !== expected.requests) problems.push(`${requests} requests`);
    const attempts = bench.received.length / requests;
    return expected.requests === 1 ? problems : [...problems, ...(await recovery(bench, attempts))];
  },
};

/** `attempts`: how often the gateway asks the provider for one request. */
async function recovery(bench: SdkBench, attempts: number): Promise<string[]> {
  const { format } = bench.tried;
  let asked = 0;
  await bench.answer((request) => {
    asked += 1;
    return asked <= attempts ? whole(fire, 500) : textAnswer(request, format, text);
  });
  return unlessValue(await bench.start("ask").ended, text);
}

const key: SdkTrial = {
  name: "error-key",
  needs: "ask",
  once: true,
  run: (bench) => refused(bench, { key: wrongKey }, bench.tried.way.errors.key),
};

const model: SdkTrial = {
  name: "error-model",
  needs: "ask",
  once: true,
  run: (bench) => refused(bench, { model: "nowhere/no-such-model" }, bench.tried.way.errors.model),
};

async function refused(
  bench: SdkBench,
  other: Partial<Place>,
  expected: SeenError,
): Promise<string[]> {
  await bench.answer((request) => textAnswer(request, bench.tried.format, text));
  const problems = unlessError(await bench.start("ask", other).ended, expected);
  if (bench.received.length > 0) problems.push("the provider was asked");
  const rows = (await bench.rows()).length;
  // Claude Code asks once more without a stream.
  if (rows > 2) problems.push(`${rows} requests for what cannot be had`);
  return problems;
}

export const errorTrials: readonly SdkTrial[] = [failure, key, model];
