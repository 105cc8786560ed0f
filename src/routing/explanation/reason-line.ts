/** The decision in one line: the value of `X-Gateway-Reason`. */

/** Longest line, in characters. */
export const maxReasonLength = 300;

/** Joins notes to one line of at most 300 characters of printable ASCII; notes that do not fit are left out. */
export function reasonLine(notes: readonly string[]): string {
  let line = "";
  for (const note of notes) {
    const next = line === "" ? note : `${line}; ${note}`;
    if (next.length > maxReasonLength) break;
    line = next;
  }
  return printableAscii(line).slice(0, maxReasonLength);
}

function printableAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, "?");
}
