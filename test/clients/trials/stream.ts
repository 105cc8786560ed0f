/** A stream that is silent for longer than the gateway leaves a stream silent: its keep-alive disturbs nobody. */
import { isMainRequest, pausedStream, textAnswer } from "./answers.ts";
import type { Trial } from "./trial.ts";

const text = "The stream came to its end: déjà vu, 世界, 🎉.";

export const streamTrial: Trial = {
  name: "stream",
  async run(bench) {
    const { format } = bench.names;
    let asked = 0;
    bench.provider.respond = (request) => {
      if (!isMainRequest(request, format)) return textAnswer(request, format, "Title");
      asked += 1;
      return pausedStream(format, text, { silence: 5500 });
    };
    const { code, output } = await bench.run();
    const problems: string[] = [];
    if (code !== 0) problems.push(`ended with code ${code}`);
    if (!output.includes(text)) problems.push("the text was not shown whole");
    if (asked !== 1) problems.push(`asked ${asked} times`);
    const rows = await bench.rows();
    const streamed = rows.filter(({ stream, outcome }) => stream && outcome === "ok");
    if (streamed.length === 0) problems.push("no row of a stream that ended well");
    return problems.length > 0 ? [...problems, output.slice(-600)] : [];
  },
};
