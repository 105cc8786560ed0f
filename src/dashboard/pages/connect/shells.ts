/** How variables of the environment are set in each shell. */

/** Shells for which the page shows lines of their own. */
export type Shell = "sh" | "fish" | "powershell";

/** Names of the shells, as their users know them. */
export const shellNames: Readonly<Record<Shell, string>> = {
  sh: "bash, zsh",
  fish: "fish",
  powershell: "PowerShell",
};

const assignments: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}=${value}`,
  fish: (name, value) => `set -gx ${name} ${value}`,
  powershell: (name, value) => `$env:${name} = "${value}"`,
};

/** Lines that set these variables and then start the command. */
export function shellLines(
  shell: Shell,
  variables: readonly (readonly [name: string, value: string])[],
  command: string,
): string {
  const lines = variables.map(([name, value]) => assignments[shell](name, value));
  return [...lines, command].join("\n");
}
