/** Patterns with `*` as their only sign, matched in linear time: no pattern of a user can make it slow. */

/** Whether a text as a whole fits one pattern. */
export type Glob = (text: string) => boolean;

/** The pattern, taken apart once. Case matters. */
export function globOf(pattern: string): Glob {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  const inner = parts.slice(1, -1).filter((part) => part !== "");
  if (parts.length === 1) return (text) => text === pattern;
  return (text) => {
    if (
      text.length < first.length + last.length ||
      !text.startsWith(first) ||
      !text.endsWith(last)
    ) {
      return false;
    }
    const end = text.length - last.length;
    let at = first.length;
    for (const part of inner) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** How specific a pattern is: its characters other than `*`. */
export function globWeight(pattern: string): number {
  return pattern.length - (pattern.split("*").length - 1);
}
