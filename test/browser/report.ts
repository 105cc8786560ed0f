/** Checks with names; what fails is told at once and counted, and the rest goes on. */
let passed = 0;
const failures: string[] = [];

export async function check(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    passed += 1;
    console.log(`passed  ${name}`);
  } catch (error) {
    failures.push(name);
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

export function expect(truth: boolean, words: string): asserts truth {
  if (!truth) throw new Error(words);
}

export function expectSame<T>(found: T, wanted: T, what: string): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${what}: ${left} instead of ${right}`);
}

/** The last line, and whether all is well. */
export function finish(): boolean {
  for (const name of failures) console.log(`failed: ${name}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length === 0;
}
