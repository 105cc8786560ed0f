/** What goes wrong, and how the program takes it. */
import { whole } from "../../kit/script.ts";
import { isMainRequest, overflowAnswer, textAnswer } from "./answers.ts";
import { wrongKey, type Bench } from "./bench.ts";
import type { Trial } from "./trial.ts";

const text = "It worked in the end: déjà vu, 世界, 🎉.";
/** A program that asks more often than this for what cannot be had is told wrongly. */
const manyRequests = 12;

/** The provider fails at first. */
const failsAtFirst: Trial = {
  name: "error-500",
  async run(bench) {
    const { format } = bench.names;
    let asked = 0;
    bench.provider.respond = (request) => {
      if (!isMainRequest(request, format)) return textAnswer(request, format, "Title");
      asked += 1;
      const failure = { error: { message: "the lab is on fire", type: "server_error", code: 500 } };
      return asked <= 2 ? whole(failure, 500) : textAnswer(request, format, text);
    };
    const { code, output } = await bench.run();
    if (code === 0 && output.includes(text)) return [];
    return [`asked ${asked} times, ended with code ${code}`, output.slice(-600)];
  },
};

const badKey: Trial = {
  name: "error-key",
  once: true,
  run: (bench) => refused(bench, { key: wrongKey }, /M005|401|key|auth/i),
};

const noModel: Trial = {
  name: "error-model",
  once: true,
  run: (bench) =>
    refused(bench, { model: "nowhere/no-such-model" }, /M302|404|not found|no-such-model/i),
};

async function refused(
  bench: Bench,
  other: { key?: string; model?: string },
  words: RegExp,
): Promise<string[]> {
  const { code, output } = await bench.run(other);
  const problems: string[] = [];
  if (!words.test(output)) problems.push(`the reason was not shown (code ${code})`);
  if (bench.provider.received.length > 0) problems.push("the provider was asked");
  const rows = (await bench.rows()).length;
  if (rows > manyRequests) problems.push(`${rows} requests`);
  return problems.length > 0 ? [...problems, output.slice(-600)] : [];
}

/** The prompt is too long: the program shortens it and goes on, or says so. */
const overflow: Trial = {
  name: "error-overflow",
  async run(bench) {
    const { format } = bench.names;
    let asked = 0;
    bench.provider.respond = (request) => {
      if (!isMainRequest(request, format)) return textAnswer(request, format, "Title");
      asked += 1;
      return asked === 1 ? overflowAnswer(format) : textAnswer(request, format, text);
    };
    const { code, output } = await bench.run();
    const problems: string[] = [];
    const words = /too long|context|exceeds the maximum|too large|compact/i;
    if (!words.test(output) && !output.includes(text))
      problems.push(`the reason was not shown (code ${code})`);
    if (asked > manyRequests) problems.push(`asked ${asked} times`);
    return problems.length > 0 ? [...problems, output.slice(-600)] : [];
  },
};

export const errorTrials: readonly Trial[] = [failsAtFirst, overflow, badKey, noModel];
