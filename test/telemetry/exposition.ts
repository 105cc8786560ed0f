/** Prometheus's text format as tests read it. */

/** Every sample by its name and labels, as they are written. */
export function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** The sum over all samples of a name whose labels hold this text. */
export function sumOf(samples: ReadonlyMap<string, number>, name: string, labels = ""): number {
  let sum = 0;
  for (const [sample, value] of samples)
    if ((sample === name || sample.startsWith(`${name}{`)) && sample.includes(labels)) sum += value;
  return sum;
}
