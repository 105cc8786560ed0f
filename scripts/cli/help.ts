/** The texts of `gateway --help` and `gateway help <command>`. */
import { commandName } from "./command-name.ts";
import { commands, type CommandDescription } from "./commands.ts";

/** What `gateway --help` prints. */
export function generalHelp(): string {
  const rows = commands.map((command) => [headOf(command), command.summary] as const);
  return [
    `usage: ${commandName()} <command> [options]`,
    "",
    ...columns(rows),
    "",
    ...columns([
      ["--version", "show the version"],
      ["--help", `show this help; ${commandName()} help <command> shows a command's options`],
    ]),
  ].join("\n");
}

/** What `gateway help <command>` prints. */
export function commandHelp(command: CommandDescription): string {
  const rows = command.options.map(
    ({ name, value, help }) =>
      [`--${name}${value === undefined ? "" : ` ${value}`}`, help] as const,
  );
  return [
    usageLine(command),
    "",
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : ["", ...columns(rows)]),
    ...(command.notes === undefined ? [] : ["", ...command.notes]),
  ].join("\n");
}

/** `usage: npx gateway connect [client] [options]`. */
export function usageLine(command: CommandDescription): string {
  return `usage: ${commandName()} ${headOf(command)}${command.options.length > 0 ? " [options]" : ""}`;
}

function headOf({ name, takes }: CommandDescription): string {
  return takes === undefined ? name : `${name} ${takes}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([head]) => head.length));
  return rows.map(([head, text]) => `  ${head.padEnd(width)}  ${text}`);
}
