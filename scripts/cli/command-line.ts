/** Reads a command line into a command and its options. Throws `UsageError` with the nearest match. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { commandNamed, commands, type CommandDescription } from "./commands.ts";
import { nearestWord } from "./nearest.ts";
import { UsageError } from "../host/usage-error.ts";

export type CommandLine =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command?: CommandDescription }
  | { readonly kind: "run"; readonly command: CommandDescription; readonly given: Given };

/** What stood behind the command. */
export interface Given {
  /** The one word that the command takes, where there was one. */
  readonly word: string | undefined;
  readonly switches: ReadonlySet<string>;
  readonly values: Readonly<Partial<Record<string, string>>>;
  /** All of it as it was written. */
  readonly args: readonly string[];
}

/** Reads what follows `gateway`. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first, ...rest] = args;
  if (first === undefined || first === "--help" || first === "-h") return { kind: "help" };
  if (first === "--version" || first === "-v") return { kind: "version" };
  const asked = (...words: string[]): boolean => words.some((word) => rest.includes(word));
  if (asked("--version", "-v")) return { kind: "version" };
  if (first === "help") return rest[0] === undefined ? { kind: "help" } : helpOf(rest[0]);
  const command = commandOf(first);
  if (asked("--help", "-h")) return { kind: "help", command };
  return { kind: "run", command, given: given(command, rest) };
}

function helpOf(name: string): CommandLine {
  if (name === "--help" || name === "-h") return { kind: "help" };
  return { kind: "help", command: commandOf(name) };
}

function commandOf(name: string): CommandDescription {
  const command = commandNamed(name);
  if (command !== undefined) return command;
  const kind = name.startsWith("-") ? "option" : "command";
  const options = ["--help", "--version"];
  const words = kind === "option" ? options : [...commands.map((one) => one.name), ...options];
  throw new UsageError(`unknown ${kind} ${shown(name)}${meant(name, words)}`);
}

function given(command: CommandDescription, args: readonly string[]): Given {
  const options: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries(
    command.options.map(({ name, value }) => [
      name,
      { type: value === undefined ? "boolean" : "string" },
    ]),
  );
  checkNames(command, args);
  const { values, positionals } = parsed(command, { args: [...args], options });
  if (positionals.length > (command.takes === undefined ? 0 : 1))
    throw new UsageError(`unexpected ${shown(positionals.at(-1) ?? "")}`, command.name);
  const entries = Object.entries(values);
  const empty = entries.find(([, value]) => value === "");
  if (empty !== undefined) throw new UsageError(`--${empty[0]} needs a value`, command.name);
  return {
    word: positionals[0],
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    values: Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    ),
    args,
  };
}

/** Node's own words on an unknown option are long and name no other. */
function checkNames(command: CommandDescription, args: readonly string[]): void {
  const known = command.options.map(({ name }) => `--${name}`);
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const name = arg.split("=", 1)[0] ?? arg;
    // A negative number is somebody's value.
    if (name.startsWith("-") && !/^-\d*$/.test(name) && !known.includes(name))
      throw new UsageError(
        `unknown option ${shown(name)}${meant(name, [...known, "--help", "--version"])}`,
        command.name,
      );
  }
}

function parsed(command: CommandDescription, config: ParseArgsConfig) {
  try {
    return parseArgs({ ...config, allowPositionals: true });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(text.split("\n", 1)[0] ?? text, command.name);
  }
}

/** A word of the command line in a sentence. */
function shown(word: string): string {
  return word.trim() === "" ? JSON.stringify(word) : word;
}

/** `-y` is meant as an option that begins so. */
function meant(word: string, words: readonly string[]): string {
  const near = nearestWord(word.replace(/^-(?=[a-z]$)/, "--"), words);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
