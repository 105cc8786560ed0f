/** Asks at the terminal before something is changed. */
import { createInterface } from "node:readline/promises";

/** Whether to go on. Throws, in words, where there is nobody to ask. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error(
      "Nothing was changed: there is no terminal for the question. Use --yes to confirm, or --dry-run to see the changes.",
    );
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
