/**
 * The model behind the scripted provider: it leads a client through one task, step by step, and judges every
 * request on the way. Where it is in the task it reads from the history that the client sends back.
 */
import type { Received, Script } from "../kit/script.ts";
import { stream, whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import type { Said, SaidCall, WireFormat } from "../kit/wire/said.ts";
import { inspectors } from "./inspect/index.ts";
import {
  isObject,
  type Inspection,
  type JsonObject,
  type OfferedTool,
} from "./inspect/inspection.ts";

/** A call of the task: JSON input, or the text of a freeform tool. */
export interface PlannedCall {
  tool: string;
  namespace?: string;
  input: Record<string, unknown> | string;
  /** What must stand in the result that comes back. */
  result: RegExp;
  /** How long it must at least be, in characters. */
  least?: number;
}

export interface Task {
  steps: PlannedCall[][];
  final: string;
}

export interface Agent {
  respond(request: Received, format: WireFormat): Script;
  /** Everything that was wrong with the requests so far. */
  problems: string[];
  /** How many requests of the task itself there were, side requests aside. */
  turns(): number;
  finished(): boolean;
}

/** State that a provider hands out with its thinking and wants back untouched. */
function stateOf(step: number): string {
  return Buffer.from(`state of step ${step}, kept by the client`).toString("base64");
}

export function agentFor(task: Task): Agent {
  const problems: string[] = [];
  let turns = 0;
  let finished = false;
  const respond = (request: Received, format: WireFormat): Script => {
    if (request.method === "GET") return whole({ object: "list", data: [] });
    if (/count_?tokens|input_tokens/i.test(request.path))
      return whole({ input_tokens: 1000, totalTokens: 1000 });
    const body: unknown = JSON.parse(request.text);
    if (!isObject(body)) return whole({ error: { message: "not an object" } }, 400);
    const inspection = inspectors[format](body);
    const step = stepOf(task, inspection);
    problems.push(...inspection.problems.map((problem) => `step ${step}: ${problem}`));
    if (!isMain(task, inspection)) return answer({ text: "Title" }, { request, body, format });
    turns += 1;
    for (const call of task.steps[step] ?? []) {
      if (offeredAs(call, inspection.tools)) continue;
      problems.push(`step ${step}: ${call.tool} is not offered`);
    }
    problems.push(
      ...judge(task, inspection, { step, format }).map((problem) => `step ${step}: ${problem}`),
    );
    finished = step === task.steps.length;
    return answer(sayStep(task, step, inspection.tools), { request, body, format });
  };
  return { respond, problems, turns: () => turns, finished: () => finished };
}

/** Side requests (titles, summaries) offer none of the task's tools. */
function isMain(task: Task, inspection: Inspection): boolean {
  const first = task.steps[0]?.[0];
  return first !== undefined && offeredAs(first, inspection.tools) !== undefined;
}

/** The tool as this request offers it: formats without namespaces have it in the name. */
function offeredAs(call: PlannedCall, tools: OfferedTool[]): OfferedTool | undefined {
  const { tool, namespace } = call;
  return tools.find((other) => {
    if (namespace === undefined || other.namespace !== undefined) {
      return other.name === tool && other.namespace === namespace;
    }
    return other.name.startsWith(namespace) && other.name.endsWith(tool);
  });
}

/** The step that comes next: as many steps are done as their calls have results. */
function stepOf(task: Task, inspection: Inspection): number {
  let calls = 0;
  const sums = task.steps.map((step) => (calls += step.length));
  return sums.filter((sum) => inspection.results.length >= sum).length;
}

function judge(
  task: Task,
  inspection: Inspection,
  at: { step: number; format: WireFormat },
): string[] {
  const problems: string[] = [];
  const planned = task.steps.slice(0, at.step).flat();
  for (const [index, call] of planned.entries()) {
    const result = inspection.results[index]?.text ?? "";
    if (call.result.test(result) && result.length >= (call.least ?? 0)) continue;
    problems.push(
      `result ${index} of ${call.tool} lacks ${call.result}: ${result.length} characters, ${result.slice(0, 120)}`,
    );
  }
  for (const [index, call] of planned.entries()) {
    const before = inspection.calls[index]?.name;
    const name = offeredAs(call, inspection.tools)?.name;
    if (before === name) continue;
    problems.push(`call ${index} came back as ${before}, the tool is offered as ${name}`);
  }
  if (at.format === "chat") return problems;
  for (let done = 0; done < at.step; done++) {
    const here = inspection.states.includes(stateOf(done));
    if (!here) problems.push(`the reasoning state of step ${done} did not come back`);
  }
  return problems;
}

function sayStep(task: Task, step: number, tools: OfferedTool[]): Said {
  const planned = task.steps[step];
  const thinking = { text: `Step ${step}: überlegen 思考 🤔`, state: stateOf(step) };
  if (planned === undefined) return { thinking, text: task.final };
  const calls = planned.map((call, index) =>
    write(call, offeredAs(call, tools), `call_${step}_${index}`),
  );
  return { thinking, text: `Step ${step} – los geht's`, calls };
}

/** The call in the form in which the tool is offered: a freeform tool may have become one with a text member. */
function write(call: PlannedCall, tool: OfferedTool | undefined, id: string): SaidCall {
  const { input } = call;
  const named = {
    id,
    name: tool?.name ?? call.tool,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
  };
  if (typeof input !== "string") return { ...named, input: JSON.stringify(input) };
  if (tool?.custom === true) return { ...named, input, custom: true };
  return { ...named, input: JSON.stringify({ [tool?.required[0] ?? "input"]: input }) };
}

function answer(
  said: Said,
  asked: { request: Received; body: JsonObject; format: WireFormat },
): Script {
  const { request, body, format } = asked;
  const streamed =
    format === "gemini" ? request.path.includes("streamGenerateContent") : body["stream"] === true;
  const wire = endpoints[format];
  return streamed ? stream(wire.events(said, "m"), { pace: 1 }) : whole(wire.whole(said, "m"));
}
