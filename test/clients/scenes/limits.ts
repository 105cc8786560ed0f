/** Claude Code shows how much of a key's limit is used, and says that it is used up. */
import { startClaude, type Ended } from "../cli.ts";
import { model } from "./lines.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** Dollars, of which an answer costs 0.8. */
const limit = { metric: "cost", period: "day", max: 2, action: "block" };
const usage = { input: 800_000, cached: 0, output: 0 };

/** What the program tells whoever runs it of the limits that the gateway sent. */
interface ToldLimit {
  status: string;
  utilization?: number;
}

export const limits: Scene = {
  name: "limits",
  formats: ["chat", "messages"],
  cast: (format) => ({ lab: model(format, () => ({ text: "Here.", usage })) }),
  async play(stage) {
    await stage.open({ errors: "status" }, { limits: [limit] });
    const problems: string[] = [];
    const expected = ["allowed", "allowed", "allowed_warning", "rejected"];
    let last: Ended = { code: 0, output: "" };
    for (const status of expected) {
      last = await ask(stage);
      const told = toldLimits(last.output).at(-1);
      if (told?.status !== status) problems.push(`${told?.status} instead of ${status}`);
    }
    if (last.code === 0 || !last.output.includes("M200"))
      problems.push("a used-up limit is not shown");
    return problems.length > 0 ? [...problems, last.output.slice(-1000)] : [];
  },
};

function ask(stage: Stage): Promise<Ended> {
  const args = ["--output-format", "stream-json", "--verbose"];
  const environment = { CLAUDE_CODE_USE_GATEWAY: "1" };
  const run = { ...stage.run, client: "claude" as const, model: "lab/m" };
  return startClaude(run, { prompt: "Hello", args, environment });
}

function toldLimits(output: string): ToldLimit[] {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines.flatMap((line) => {
    // What the program writes in this form.
    const event = JSON.parse(line) as { type: string; rate_limit_info?: ToldLimit };
    return event.type === "rate_limit_event" && event.rate_limit_info !== undefined
      ? [event.rate_limit_info]
      : [];
  });
}
