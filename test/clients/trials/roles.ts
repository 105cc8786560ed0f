/** The log says what each request is for, and of which session it is, as far as the program says so. */
import { stream, whole, type Received, type Script } from "../../kit/script.ts";
import { endpoints } from "../../kit/wire/index.ts";
import type { WireFormat } from "../../kit/wire/said.ts";
import { inspectors } from "../inspect/index.ts";
import { isObject } from "../inspect/inspection.ts";
import type { CallWords } from "../programs/program.ts";
import { asksForStream, isMainRequest, textAnswer } from "./answers.ts";
import type { SeenRow } from "./bench.ts";
import type { Trial } from "./trial.ts";

const text = "It holds nothing.";

export const rolesTrial: Trial = {
  name: "roles",
  once: true,
  async run(bench) {
    const { format, program } = bench.names;
    const delegation = program.names?.delegation;
    bench.provider.respond = (request) => answer(request, format, delegation);
    const { code, output } = await bench.run({ model: "auto" });
    const rows = await bench.rows();
    const problems = problemsOf(rows, {
      names: program.names !== undefined,
      delegates: delegation !== undefined,
    });
    if (code !== 0 || !output.includes(text)) problems.push(`ended with code ${code}`);
    return problems.length > 0 ? [...problems, JSON.stringify(rows), output.slice(-600)] : [];
  },
};

/** A title for side requests, the judgement of a client's own router, and for the agent a text after one delegation. */
function answer(request: Received, format: WireFormat, delegation?: CallWords): Script {
  const router = /complexity_score/.test(request.text);
  if (!isMainRequest(request, format)) {
    const judgement = { complexity_reasoning: "It is short.", complexity_score: 20 };
    return textAnswer(request, format, router ? JSON.stringify(judgement) : "Title");
  }
  const body: unknown = JSON.parse(request.text);
  const { tools, results } = inspectors[format](isObject(body) ? body : {});
  const delegates = results.length === 0 && tools.some(({ name }) => name === delegation?.tool);
  if (!delegates || delegation === undefined) return textAnswer(request, format, text);
  const call = { id: "call_1", name: delegation.tool, input: JSON.stringify(delegation.input) };
  const wire = endpoints[format];
  const said = { calls: [call] };
  return asksForStream(request, format)
    ? stream(wire.events(said, "m"), { pace: 1 })
    : whole(wire.whole(said, "m"));
}

function problemsOf(
  rows: readonly SeenRow[],
  { names, delegates }: { names: boolean; delegates: boolean },
): string[] {
  const main = rows.filter(({ role }) => role === "main");
  const agents = rows.filter(({ role }) => role === "subagent");
  const sessions = new Set(main.map(({ session }) => session));
  const problems: string[] = [];
  if (main.length !== (delegates ? 2 : 1)) problems.push(`${main.length} rows of the conversation`);
  if (agents.length !== (delegates ? 1 : 0)) problems.push(`${agents.length} rows of a subagent`);
  if (rows.some(({ role }) => role !== "main" && role !== "subagent" && role !== "background"))
    problems.push("a row of another role");
  if (names && (sessions.size !== 1 || sessions.has(undefined))) problems.push("not one session");
  if (agents.some((row) => row.parent_agent === undefined || !sessions.has(row.parent_agent)))
    problems.push("a subagent's row does not name the session that delegated");
  return problems;
}
