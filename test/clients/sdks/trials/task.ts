/** Two steps of tools, the first with two calls at once, and the final text. */
import { agentFor } from "../../agent.ts";
import { final } from "../../tasks.ts";
import type { SdkTrial } from "../bench.ts";
import { weatherTask } from "../work.ts";
import { unlessValue } from "./judging.ts";

export const taskTrial: SdkTrial = {
  name: "task",
  needs: "task",
  async run(bench) {
    const { way, format } = bench.tried;
    const agent = agentFor(weatherTask(way.toolPrefix));
    await bench.answer((request) => agent.respond(request, format));
    const done = await bench.start("task").ended;
    const own = way.speaks === format ? way.ownFaults : undefined;
    const lost = way.forgets === true ? /the reasoning state of step/ : undefined;
    const wrong = agent.problems.filter((one) =>
      [own, lost].every((known) => known?.test(one) !== true),
    );
    const problems = [...unlessValue(done, final), ...wrong];
    if (!agent.finished()) problems.push("the task was not brought to its end");
    return problems;
  },
};
