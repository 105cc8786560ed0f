/** Patterns with `*` as their only sign, matched in linear time: no pattern of a user can make it slow. */

/** Whether `text` as a whole fits `pattern`. Case matters. */
export function globMatches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** How specific a pattern is: its characters other than `*`. */
export function globWeight(pattern: string): number {
  return pattern.length - (pattern.split("*").length - 1);
}
