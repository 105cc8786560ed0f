/** Where the commands get a passphrase from. It is never an argument: those are seen by everybody on the machine. */
import { readFileSync } from "node:fs";
import { checkedPassphrase } from "../../../src/store/backup/passphrase.ts";

/** From the environment, from a file, or asked for; `twice`: a new one, which a slip of the finger must not decide. */
export async function readPassphrase(
  file: string | undefined,
  { twice }: { twice: boolean },
): Promise<string> {
  const given = file === undefined ? process.env["GATEWAY_PASSPHRASE"] : firstLine(file);
  if (given !== undefined && given !== "") return checkedPassphrase(given);
  if (!process.stdin.isTTY)
    throw new Error("no passphrase: set GATEWAY_PASSPHRASE, or name a file with --passphrase-file");
  const typed = checkedPassphrase(await ask("Passphrase: "));
  if (twice && checkedPassphrase(await ask("Repeat passphrase: ")) !== typed)
    throw new Error("the passphrases differ: nothing was done");
  return typed;
}

function firstLine(file: string): string {
  return readFileSync(file, "utf8").split(/\r?\n/, 1)[0] ?? "";
}

/** Asks a question whose answer is shown; true for yes. */
export async function confirmed(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, true);
  return /^y(?:es)?$/i.test(answer.trim());
}

const keys = { interrupt: "\u0003", end: "\u0004", erase: ["\u007f", "\b"] } as const;

/** A line from the terminal, without echo unless `shown`. */
function ask(question: string, shown = false): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  return new Promise((resolve, reject) => {
    let line = "";
    const finish = (): void => {
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
    };
    const onData = (text: string): void => {
      for (const char of text) {
        if (char === keys.interrupt || char === keys.end) {
          finish();
          return reject(new Error("stopped: nothing was done"));
        }
        if (char === "\r" || char === "\n") {
          finish();
          return resolve(line);
        }
        const erases = keys.erase.some((key) => key === char);
        line = erases ? line.slice(0, -1) : line + char;
        if (shown && !erases) stderr.write(char);
      }
    };
    stdin.on("data", onData);
  });
}
