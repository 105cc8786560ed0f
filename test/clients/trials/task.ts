/** A piece of work with tools: several steps, calls at once, a file that has to be there. */
import { agentFor } from "../agent.ts";
import { filesTask } from "../programs/program.ts";
import { checkFiles, final } from "../tasks.ts";
import { asksForStream, isMainRequest } from "./answers.ts";
import type { Trial } from "./trial.ts";

export const taskTrial: Trial = {
  name: "task",
  async run(bench) {
    const { program, format } = bench.names;
    const agent = agentFor(filesTask(program.tools, bench.work));
    bench.provider.respond = (request) => agent.respond(request, format);
    const { code, output } = await bench.run();
    // A relay sends what the program wrote: its turns are its own.
    const told = agent.problems.filter(
      (problem) => bench.names.speaks !== format || !problem.endsWith("turns in a row"),
    );
    const problems = [...checkFiles(bench.work), ...told];
    if (code !== 0) problems.push(`ended with code ${code}`);
    if (!output.includes(final)) problems.push("the final text was not shown");
    if (!agent.finished()) problems.push("the task was not brought to its end");
    const main = bench.provider.received.filter((request) => isMainRequest(request, format));
    if (!main.every((request) => asksForStream(request, format)))
      problems.push("the provider was not asked for streams");
    // Without marks Anthropic's service keeps nothing of the prompt, and every step is paid in full.
    const translated = format === "messages" && bench.names.speaks !== "messages";
    if (translated && !main.every((request) => request.text.includes('"cache_control"')))
      problems.push("the provider was not asked to cache");
    return problems.length > 0 ? [...problems, output.slice(-600)] : [];
  },
};
