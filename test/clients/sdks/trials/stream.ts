/** A text that arrives piece by piece, and a stream that its reader leaves. */
import { endpoints } from "../../../kit/wire/index.ts";
import { stream } from "../../../kit/script.ts";
import type { SdkTrial } from "../bench.ts";
import { unlessValue, until } from "./judging.ts";

const text =
  "The stream came to its end: déjà vu, 世界, 🎉. And nothing of it was lost on the way.";

export const streamTrial: SdkTrial = {
  name: "stream",
  needs: "stream",
  async run(bench) {
    const events = endpoints[bench.tried.format].events({ text }, "m");
    await bench.answer(() => stream(events, { pace: 20 }));
    const job = bench.start("stream");
    const problems = unlessValue(await job.ended, text);
    if (job.pieces.join("") !== text) problems.push(`pieces: ${JSON.stringify(job.pieces)}`);
    if (job.pieces.length < 3) problems.push(`only ${job.pieces.length} pieces`);
    const rows = await bench.rows();
    if (!rows.some((row) => row.stream && row.outcome === "ok"))
      problems.push("no row of a stream that ended well");
    return problems;
  },
};

export const abortTrial: SdkTrial = {
  name: "abort",
  needs: "abort",
  async run(bench) {
    // Some read on until the next piece. The whole of it would take longer than the trial waits.
    const events = endpoints[bench.tried.format].events({ text: text.repeat(40) }, "m");
    await bench.answer(() => stream(events, { pace: 150 }));
    const job = bench.start("stream");
    const begun = await until(() => (job.pieces.length > 0 ? true : undefined));
    if (begun === undefined) return ["no piece of the stream arrived"];
    job.abort();
    const problems: string[] = [];
    const left = await until(() => bench.received.find(({ leftAt }) => leftAt !== undefined));
    if (left === undefined) problems.push("the provider's call was not aborted");
    const row = await until(async () =>
      (await bench.rows()).find(({ outcome }) => outcome === "left"),
    );
    if (row === undefined) problems.push("no row says that the client left");
    const done = await job.ended;
    if (!("error" in done) || !/abort/i.test(`${done.error.name} ${done.error.message}`))
      problems.push(`ended with ${JSON.stringify(done)}`);
    return problems;
  },
};
