/** A unified diff of two texts, for people. */

const context = 3;

interface Step {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

/** Undefined where both are the same. `file`: what to show as its name. */
export function unifiedDiff(file: string, before: string, after: string): string | undefined {
  if (before === after) return undefined;
  const steps = stepsOf(linesOf(before), linesOf(after));
  const head = [
    `--- ${before === "" ? "/dev/null" : file}`,
    `+++ ${after === "" ? "/dev/null" : file}`,
  ];
  return [...head, ...hunksOf(steps)].join("\n");
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push(`${lines.pop() ?? ""}\n\\ No newline at end of file`);
  return lines;
}

/** The longest common subsequence; configuration files are short. */
function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  );
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      steps.push({ sign: " ", line: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ sign: "-", line: old });
      i += 1;
    } else if (fresh !== undefined) {
      steps.push({ sign: "+", line: fresh });
      j += 1;
    }
  }
  return steps;
}

function hunksOf(steps: readonly Step[]): string[] {
  const shown = steps.map((_, index) =>
    steps.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== " "),
  );
  const lines: string[] = [];
  let [old, fresh] = [1, 1];
  steps.forEach(({ sign, line }, index) => {
    if (shown[index] === true) {
      if (shown[index - 1] !== true) lines.push(headOf(steps, shown, { index, old, fresh }));
      lines.push(sign + line);
    }
    if (sign !== "+") old += 1;
    if (sign !== "-") fresh += 1;
  });
  return lines;
}

function headOf(
  steps: readonly Step[],
  shown: readonly boolean[],
  { index, old, fresh }: { index: number; old: number; fresh: number },
): string {
  const end = shown.indexOf(false, index);
  const hunk = steps.slice(index, end === -1 ? steps.length : end);
  const count = (sign: string): number => hunk.filter((step) => step.sign !== sign).length;
  const [gone, added] = [count("+"), count("-")];
  return `@@ -${gone === 0 ? old - 1 : old},${gone} +${added === 0 ? fresh - 1 : fresh},${added} @@`;
}
