/**
 * The model behind the scripted provider: it leads a client through one task, step by step, and judges every
 * request on the way. Where it is in the task it reads from the history that the client sends back.
 */
import type { Received, Script } from "../kit/script.ts";
import { stream, whole } from "../kit/script.ts";
import { wires } from "../kit/wire/index.ts";
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
  const first = task.steps[0]?.[0]?.tool;
  return inspection.tools.some(({ name }) => name === first);
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
  const names = inspection.calls.map(({ name }) => name);
  for (const [index, call] of planned.entries()) {
    if (names[index] !== call.tool)
      problems.push(`call ${index} came back as ${names[index]}, not ${call.tool}`);
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
  const calls = planned.map((call, index) => write(call, tools, `call_${step}_${index}`));
  return { thinking, text: `Step ${step} – los geht's`, calls };
}

/** The call in the form in which the tool is offered: a freeform tool may have become one with a text member. */
function write(call: PlannedCall, tools: OfferedTool[], id: string): SaidCall {
  const { tool: name, input } = call;
  const tool = tools.find((other) => other.name === name);
  if (typeof input !== "string") return { id, name, input: JSON.stringify(input) };
  if (tool?.custom === true) return { id, name, input, custom: true };
  return { id, name, input: JSON.stringify({ [tool?.required[0] ?? "input"]: input }) };
}

function answer(
  said: Said,
  asked: { request: Received; body: JsonObject; format: WireFormat },
): Script {
  const { request, body, format } = asked;
  const streamed =
    format === "gemini" ? request.path.includes("streamGenerateContent") : body["stream"] === true;
  const wire = wires[format];
  return streamed ? stream(wire.events(said, "m"), { pace: 1 }) : whole(wire.whole(said, "m"));
}
