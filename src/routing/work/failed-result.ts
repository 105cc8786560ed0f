/**
 * Whether a tool's result says that the call failed, whatever client ran it. Clients hardly agree: some set a flag, others
 * write the exit code, a sentence of their own, or pass on what a test runner printed. So this goes by phrases that
 * programs write of themselves. What a tool merely read may talk about errors as well, so there only the result's own
 * first words count.
 */
import type { CallBlock, ResultBlock } from "../../core/request.ts";

/** Characters of a result that are read: clients put their verdict first, test runners theirs last. */
const headLength = 400;
const tailLength = 800;
/** A tool that reads says in a few words that it could not; longer texts are what it read. */
const longestRefusalToRead = 1500;

/** Whether the call failed. `call`: undefined where the conversation lost it. */
export function hasFailed(result: ResultBlock, call: CallBlock | undefined): boolean {
  const text = firstText(result);
  const head = text.slice(0, headLength);
  if (isHumansRefusal(head)) return false;
  const kind = kindOf(call);
  const code =
    exitCode(head) ?? (text.length > headLength ? exitCode(text.slice(-200)) : undefined);
  if (code !== undefined && code !== 0) return !(code === 1 && kind === "reads");
  if (result.isError === true) return true;
  // A pipe hides the exit code of a test run, so its summary counts.
  if (code === 0) return kind === "runs" && runsChecks.test(call?.input ?? "") && endsBadly(text);
  if (kind === "reads") return text.length <= longestRefusalToRead && failureStart.test(head);
  return (
    failureStart.test(head) || failurePhrase.test(head) || (kind === "runs" && endsBadly(text))
  );
}

function firstText({ blocks }: ResultBlock): string {
  const first = blocks.find((block) => block.kind === "text");
  return first?.kind === "text" ? first.text : "";
}

/** The human did not let the tool run: nothing has failed. */
function isHumansRefusal(head: string): boolean {
  return /^\s*(?:<tool_use_error>)?\s*(?:the user (?:doesn't|does not|didn't|did not) want|\[request interrupted by user)/i.test(
    head,
  );
}

type ToolKind = "reads" | "runs" | "other";

const readingTool =
  /read|view|cat\b|grep|glob|search|find|list|^ls$|fetch|open_file|outline|symbol/i;
const runningTool = /bash|shell|exec|terminal|command|run|test/i;
/** A command whose exit code 1 means that it found nothing or saw a difference, and whose output is others' text. */
const readingCommand =
  /^(?:cd [^&;]+(?:&&|;)\s*)?(?:cat|head|tail|less|nl|sed -n|[ef]?grep|rg|ag|ack|find|fd|ls|tree|diff|wc|jq|which|type|pgrep|test|\[|git (?:grep|diff|log|show|blame|status|ls-files))(?:\s|$)/;
/** Commands that check the work: tests, compilers, linters, builds. */
const runsChecks =
  /test|spec|check|lint|build|compile|tsc|mypy|jest|mocha|pytest|cargo|mvn|gradle|make\b|tox|rake/i;

function kindOf(call: CallBlock | undefined): ToolKind {
  if (call === undefined) return "other";
  const command = commandOf(call);
  if (command !== undefined) return readingCommand.test(command) ? "reads" : "runs";
  if (readingTool.test(call.name)) return "reads";
  return runningTool.test(call.name) ? "runs" : "other";
}

/** Whether a call runs a command. */
export function runsCommand(call: CallBlock): boolean {
  return commandOf(call) !== undefined || runningTool.test(call.name);
}

/** `{"command":"…"}`, `{"cmd":"…"}`, `{"command":["bash","-lc","…"]}` */
const commandInput = /"(?:command|cmd)"\s*:\s*(?:\[\s*"[^"]*"\s*,\s*"-l?c"\s*,\s*)?\[?"\s*/;

/** The beginning of the command that a call runs. */
function commandOf({ input }: CallBlock): string | undefined {
  const head = input.slice(0, headLength);
  const found = commandInput.exec(head);
  return found === null ? undefined : head.slice(found.index + found[0].length);
}

const statedCode =
  /(?:exit(?:ed)?[ _](?:with )?(?:code|status)|exit_?code"?|return code|returned non-zero exit status)[>:=]?\s*:?\s*(-?\d{1,3})\b/i;

/** The exit code that a result states; undefined where it states none. */
function exitCode(part: string): number | undefined {
  const code = statedCode.exec(part)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** How a result begins that is an error. */
const failureStart =
  /^\s*(?:<tool_use_error>|<error>|\w*(?:error|exception)(?: \w+)?(?:\[[\w-]+\])?:|error (?:executing|calling|running|reading|writing|applying|editing|invoking|parsing|while|during|in)\b|command failed|traceback \(|fatal:|panic:|aborted\b|failed to |cannot |could not |unable to |no such (?:file|tool)|file (?:not found|does not exist)|invalid (?:arguments?|parameters?|input|tool)|unsupported call|tool .{0,40}not found|✗|❌)/i;

/** What clients write of edits that do not find their text, and of calls that break a tool's schema. */
const failurePhrase = new RegExp(
  [
    "string to replace (?:was )?not found",
    "old_?str(?:ing)?\\b.{0,40}not (?:be )?found",
    "(?:could|did) not find (?:the )?(?:old_?str|exact|text|string|search|expected|match)",
    "failed to find (?:expected|context|the)",
    "did not appear verbatim",
    "no (?:exact )?match(?:es|ing text)? (?:was |were )?found for",
    "search (?:block|text|string|pattern)[^.\\n]{0,40}(?:not found|no match|failed to match)",
    "(?:apply_)?patch (?:verification failed|failed|does not apply)",
    "hunk .{0,20}failed",
    "has not been read yet",
    "no changes (?:to make|were made)",
    "inputvalidationerror",
    "invalid (?:arguments|parameters|input|tool call)",
    "(?:missing|required) (?:required )?(?:field|parameter|argument|property)",
    "required (?:parameter|property|argument|field)s?\\b.{0,60}(?:missing|required|not provided)",
    "failed to parse (?:function )?arguments",
    "(?:does not|doesn't) (?:match|satisfy) the (?:expected )?(?:input )?schema",
    "schema validation",
  ].join("|"),
  "i",
);

/** How test runners, compilers and build tools end that found faults. */
const badSummary = new RegExp(
  [
    "\\b[1-9]\\d* (?:(?:tests?|specs?|checks?|suites?|examples?|assertions?) )?(?:failed|failing|failures?)\\b",
    "\\b(?:failed|failures|errors)[:=] ?[1-9]",
    "\\b[1-9]\\d* errors?\\b.{0,20}(?:\\bin \\d|found|generated)",
    "found [1-9]\\d* errors?",
    "(?:^|\\n)\\s*(?:--- FAIL|FAIL(?:ED)?\\b|# fail [1-9])",
    "test result: FAILED",
    "BUILD (?:FAILURE|FAILED)",
    "npm (?:ERR!|error)",
    "make(?:\\[\\d+\\])?: \\*\\*\\*",
    "error TS\\d+",
    "error: could not compile",
    "ELIFECYCLE",
    "(?:^|\\n)Traceback \\(most recent call last\\)",
    "(?:^|\\n)\\w*(?:Error|Exception): ",
  ].join("|"),
);

function endsBadly(text: string): boolean {
  return badSummary.test(text.length > tailLength ? text.slice(-tailLength) : text);
}
