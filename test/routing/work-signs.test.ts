import { describe, expect, it } from "vitest";
import type { Block, Message } from "../../src/core/request.ts";
import { viewRequest } from "../../src/routing/request/request-view.ts";
import { complains } from "../../src/routing/work/complaint.ts";
import { hasFailed } from "../../src/routing/work/failed-result.ts";
import { workSigns } from "../../src/routing/work/work-signs.ts";
import { assistant, call, modelRequest, result, user } from "./kit.ts";

type Call = Extract<Block, { kind: "call" }>;
type Result = Extract<Block, { kind: "result" }>;

const failed = (text: string, { name = "Bash", input = "{}", isError = false } = {}): boolean =>
  hasFailed(result("c", text, isError) as Result, call("c", name, input) as Call);
const ran = (command: string) => ({ name: "Bash", input: JSON.stringify({ command }) });
const codexRan = (cmd: string) => ({ name: "exec_command", input: JSON.stringify({ cmd }) });
const codexResult = (code: number, output: string): string =>
  `Chunk ID: 7a1b\nWall time: 0.2 seconds\nProcess exited with code ${code}\nOriginal token count: 9\nOutput:\n${output}`;

describe("a result that failed", () => {
  it.each([
    ["a flag", "anything", { isError: true }],
    ["an edit of Claude Code", "<tool_use_error>String to replace not found in file.", {}],
    [
      "a call that breaks its schema",
      "InputValidationError: Edit failed due to the following issue: The required parameter `old_string` is missing",
      { name: "Edit" },
    ],
    ["an edit of opencode", "Error: oldString not found in content", { name: "edit" }],
    [
      "another edit of opencode",
      "Could not find oldString in the file. It must match exactly, including whitespace.",
      { name: "edit" },
    ],
    [
      "a bad call in opencode",
      "The edit tool was called with invalid arguments: missing field oldString.",
      { name: "invalid" },
    ],
    [
      "a patch of Codex",
      "apply_patch verification failed: Failed to find expected lines in src/a.ts",
      { name: "apply_patch" },
    ],
    [
      "a bad call in Codex",
      "failed to parse function arguments: missing field `cmd` at line 1",
      { name: "exec_command" },
    ],
    ["a command of Codex", codexResult(1, "2 failed"), codexRan("npm test")],
    [
      "a shell of Codex",
      '{"output":"boom","metadata":{"exit_code":2,"duration_seconds":0.1}}',
      { name: "shell" },
    ],
    ["a command", "Exit code 1\nnpm ERR! Test failed.", ran("npm test")],
    [
      "a test run without its code",
      "Tests:       2 failed, 10 passed, 12 total\nTime: 2 s",
      ran("npx jest"),
    ],
    ["a run behind a pipe", codexResult(0, "FAILED (failures=2)"), codexRan("pytest | tail -5")],
    ["go", "--- FAIL: TestRetry (0.00s)\nFAIL\tpkg/retry\t0.1s", ran("go test ./...")],
    [
      "a compiler",
      "src/a.ts(3,5): error TS2322: Type 'x' is not assignable.",
      ran("npx tsc --noEmit"),
    ],
    [
      "a diff tool of Cline",
      "The tool execution failed with the following error:\nThe SEARCH block did not match: search block not found",
      { name: "replace_in_file" },
    ],
    ["a file that is not there", "Error: ENOENT: no such file or directory", { name: "Read" }],
  ])("%s", (_name, text, given) => {
    expect(failed(text, given)).toBe(true);
  });

  it.each([
    ["grep that finds nothing", codexResult(1, ""), codexRan("rg -n retryCount src")],
    ["grep behind cd", "Exit code 1", ran("cd /repo && grep -rn foo src")],
    ["a search tool without a match", "No matches found", { name: "Grep" }],
    ["differences", codexResult(1, "2c2\n< a"), codexRan("diff a b")],
    [
      "a file about errors",
      `# Errors\n${"Error: the request failed with exit code: see below. ".repeat(60)}`,
      { name: "Read" },
    ],
    [
      "a log that is read",
      codexResult(0, "12 tests failed\nTraceback (most recent call last)"),
      codexRan("cat build.log"),
    ],
    ["code of an error class", "1\tclass InputValidationError extends Error {}", { name: "Read" }],
    ["a run that passes", "Tests: 12 passed, 12 total\n0 failed", ran("npm test")],
    ["an edit that worked", "The file /a.ts has been updated.", { name: "Edit" }],
    [
      "a human's refusal",
      "The user doesn't want to proceed with this tool use.",
      { isError: true },
    ],
  ])("none: %s", (_name, text, given) => {
    expect(failed(text, given)).toBe(false);
  });
});

describe("a complaint", () => {
  it.each([
    "It still fails with the same error.",
    "That's wrong, the test expects 3",
    "no, that is not what I asked for",
    "Nope, the build is broken again",
    "Es funktioniert immer noch nicht.",
    "Ça ne marche toujours pas",
    "Sigue fallando la misma prueba",
    "Ainda não funciona",
    "Non funziona",
    "Werkt nog niet",
    "To nadal nie działa",
    "Тест по-прежнему падает",
    "还是报错",
    "まだ失敗します",
    "여전히 실패합니다",
    "ما زال الاختبار يفشل",
    "अभी भी वही त्रुटि आ रही है",
    "Vẫn lỗi như cũ",
    "Hâlâ aynı hata",
    "Masih gagal",
  ])("%s", (ask) => {
    expect(complains(ask)).toBe(true);
  });

  it.each([
    "Thanks, that works!",
    "Now add a test for the export command.",
    "Run the tests",
    "Why do we use two queues here?",
    "Jetzt bitte die Dokumentation ergänzen.",
    "ありがとう、動きました",
  ])("none: %s", (ask) => {
    expect(complains(ask)).toBe(false);
  });
});

describe("the course of the work", () => {
  const signs = (...messages: Message[]) =>
    workSigns(messages, viewRequest(modelRequest(messages)));
  const step = (id: string, text = "ok", isError = false): Message[] => [
    assistant(call(id)),
    user(result(id, text, isError)),
  ];
  const asked = user("Make the parser handle nested comments, please, and test it.");

  it("has the steps of the running ask, newest first", () => {
    const { steps, calls } = signs(
      asked,
      ...step("a", "no", true),
      assistant("done"),
      user("now the lexer"),
      ...step("b"),
      ...step("c", "no", true),
    );
    expect(steps.map((one) => one.failed)).toEqual([true, false]);
    expect(calls).toBe(3);
  });

  it("goes on where the human says so", () => {
    const { steps, complaint } = signs(
      asked,
      ...step("a", "no", true),
      assistant("?"),
      user("yes"),
    );
    expect(steps).toHaveLength(1);
    expect(complaint).toBeUndefined();
  });

  it.each([
    ["said to be wrong", [assistant("done"), user("It still fails.")]],
    ["asked again", [assistant("done"), asked]],
    ["asked again", [assistant("done"), user("Hm, look."), assistant("done"), asked]],
    ["interrupted", [user("[Request interrupted by user]"), user("use the other file")]],
    ["interrupted", [user("<turn_aborted>\nx\n</turn_aborted>"), user("use the other file")]],
    [undefined, [assistant("done"), user("Run the tests")]],
    [undefined, [assistant("done"), user("thanks")]],
  ])("%s", (complaint, after) => {
    expect(signs(asked, ...step("a"), ...after).complaint).toBe(complaint);
  });

  it("remembers that the last step before an ask failed", () => {
    const after = [assistant("done"), user("now the lexer")];
    expect(signs(asked, ...step("a", "no", true), ...after).leftFailing).toBe(true);
    expect(signs(asked, ...step("a", "no", true), ...step("b"), ...after).leftFailing).toBe(false);
  });

  it("never takes a first ask for a complaint", () => {
    expect(signs(user("It still fails.")).complaint).toBeUndefined();
  });
});
