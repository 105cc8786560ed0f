/** What a request is for by its form: limits, stop sequences, output schema, tools; not by what it talks about. */
import type { ModelRequest } from "../../core/request.ts";
import { asObject } from "../../lib/json.ts";
import type { RoutingView } from "../request/request-view.ts";
import type { ClientProfile } from "./client.ts";

/** What forms tell apart. */
export type FormRole = "safety" | "compaction" | "title" | "utility" | "probe";

interface Formed {
  readonly request: ModelRequest;
  readonly view: RoutingView;
  readonly client: ClientProfile;
}

/** The role that a request's form shows; undefined for most. None of these requests offers tools. */
export function roleByForm(formed: Formed): FormRole | undefined {
  const { request, view } = formed;
  if (view.tools > 0 || request.tools.length > 0) return undefined;
  if (isSafetyClassifier(request)) return "safety";
  const utility = bySchema(request);
  if (utility !== undefined) return utility;
  if (isProbe(request, view)) return "probe";
  return isToollessEnd(formed) ? "compaction" : undefined;
}

/** Longest ask of a connection test, in characters. */
const longestProbe = 16;

/**
 * A test of the connection asks for one token and says nothing. A judge asks for one token too, of which it wants the
 * probability, or a yes or no to something.
 */
function isProbe({ maxOutput, messages, sampling }: ModelRequest, view: RoutingView): boolean {
  if (maxOutput !== 1 || view.calls > 0 || view.asks > 1) return false;
  if (sampling.logprobs === true) return false;
  if (messages.some(({ role }) => role === "instruction")) return false;
  return view.ask.length <= longestProbe && !/[?？]|\d\s*[-+*/=]/.test(view.ask);
}

/** How verdicts of Claude Code's classifier end. */
const verdictEnd = "</block>";
/** Its instructions are never shorter, in characters. */
const classifierInstructions = 20_000;

/** Its first question stops at the verdict's end; its second one is known by long instructions that explain verdicts. */
function isSafetyClassifier({ stop, messages }: ModelRequest): boolean {
  const instructions = messages
    .filter(({ role }) => role === "instruction")
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? block.text : [])));
  if (instructions.length === 0) return false;
  if (stop.includes(verdictEnd)) return true;
  const long = instructions.filter((text) => text.length >= classifierInstructions);
  return long.some((text) => text.includes("<block>") && text.includes(verdictEnd));
}

/** Members of the output that coding tools ask for when they name a session. */
const titleMembers: ReadonlySet<string> = new Set(["title", "branch", "isNewTopic"]);
/** Members by which questions of Gemini CLI and its relatives are known: which model, who speaks next, is this a loop. */
const utilityMembers = [
  "complexity_score",
  "model_choice",
  "next_speaker",
  "unproductive_state_confidence",
];

function bySchema({ output }: ModelRequest): FormRole | undefined {
  if (output?.type !== "schema") return undefined;
  const members = Object.keys(asObject(output.schema["properties"]) ?? {});
  if (members.includes("title") && members.every((name) => titleMembers.has(name))) return "title";
  return utilityMembers.some((name) => members.includes(name)) ? "utility" : undefined;
}

/** An agent that worked with tools and offers none for its last request asks for a summary of the work. */
function isToollessEnd({ request, view, client }: Formed): boolean {
  if (client.name === "unknown" || view.calls === 0 || view.inToolLoop) return false;
  return request.messages.at(-1)?.role === "user";
}
