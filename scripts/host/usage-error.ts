/** A command line that cannot be meant: told in one line, with the usage of the command, exit code 2. */
export class UsageError extends Error {
  /** The command whose usage helps; none where no command was recognised. */
  readonly command: string | undefined;

  constructor(problem: string, command?: string) {
    super(problem);
    this.command = command;
  }
}
