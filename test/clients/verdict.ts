/** How one combination ended. */
export interface Verdict {
  /** Client, provider format and what was tried. */
  name: string;
  problems: readonly string[];
  seconds: number;
}

/** Does this, and prints how it ended. */
export async function judged(name: string, work: () => Promise<string[]>): Promise<Verdict> {
  const since = Date.now();
  const problems = await work().catch((error: unknown) => [String(error)]);
  const seconds = (Date.now() - since) / 1000;
  const word = problems.length === 0 ? "passed" : "FAILED";
  console.log(`${word}  ${name}  ${seconds.toFixed(1)} s`);
  for (const problem of new Set(problems)) console.log(`        ${problem}`);
  return { name, problems, seconds };
}
