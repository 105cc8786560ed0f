/** What a command line is understood as, and the words about one that is not. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../scripts/cli/command-line.ts";
import { readOptions } from "../../scripts/host/options.ts";
import { UsageError } from "../../scripts/host/usage-error.ts";

describe("help and version", () => {
  it.each([
    ["version", "--version"],
    ["version", "connect --version"],
    ["version", "start -v"],
    ["version", "help --version"],
    ["help", "help --help"],
    ["help", "backup a --help"],
    ["help", "-h"],
  ])("is %s: %s", (kind, line) => {
    expect(readCommandLine(line.split(" ")).kind).toBe(kind);
  });
});

it("npm start tells the version, too", () => {
  const args = ["scripts/run.mjs", "scripts/start.ts", "--version"];
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(`${version}\n`);
});

describe("a wrong command line is told with what may be meant", () => {
  it.each([
    [["connect", "claude", "-y"], "unknown option -y; did you mean --yes?"],
    [["connect", "--hepl"], "unknown option --hepl; did you mean --help?"],
    [["verson"], "unknown command verson"],
    [["version"], "unknown command version; did you mean --version?"],
    [[""], 'unknown command ""'],
    [["start", "--state", ""], "--state needs a value"],
    [["connect", "claude", "--key="], "--key needs a value"],
    [["connect", "claude", " "], 'unexpected " "'],
  ])("%j", (args, words) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(words);
  });

  it.each([
    [["--inspector", "abc"], "--inspector: abc is not a port number"],
    [["--port", "99999"], "--port: 99999 is not a port number"],
    [["--state", ""], "--state needs a value"],
  ])("npm start -- %j", (args, words) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(words);
  });
});
