/** Tells what somebody says from what they quote: code, quotations, documents. Linear; reads nothing twice. */

/** Occurrences of a word that are looked at. */
const mostLooks = 20;

/** Whether a match of `pattern` (global) stands in the author's own words. */
export function isSpoken(text: string, pattern: RegExp): boolean {
  let looks = 0;
  for (const { index, 0: word } of text.matchAll(pattern)) {
    if (!isQuoted(text, index, index + word.length)) return true;
    if (++looks === mostLooks) return false;
  }
  return false;
}

function isQuoted(text: string, from: number, to: number): boolean {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = text.indexOf("\n", to);
  const before = text.slice(lineStart, from);
  const after = lineEnd < 0 ? text.slice(to) : text.slice(to, lineEnd);
  return (
    /^\s*>/.test(before) ||
    isPaired(before, after) ||
    isFenced(text.slice(0, lineStart)) ||
    isInElement(text, from)
  );
}

/** Marks that open and close alike, and those that differ. An apostrophe counts only right at the word. */
const alike = ["`", '"'] as const;
const pairs = [
  ["\u201c", "\u201d"],
  ["\u201e", "\u201c"],
  ["\u00ab", "\u00bb"],
  ["\u300c", "\u300d"],
  ["\u2018", "\u2019"],
] as const;

function isPaired(before: string, after: string): boolean {
  if (before.endsWith("'") && after.startsWith("'")) return true;
  return (
    alike.some((mark) => before.split(mark).length % 2 === 0 && after.includes(mark)) ||
    pairs.some(
      ([open, close]) =>
        before.lastIndexOf(open) > before.lastIndexOf(close) && after.includes(close),
    )
  );
}

/** An odd number of fences stands before it. */
function isFenced(before: string): boolean {
  let fences = 0;
  for (const line of before.split("\n")) if (/^\s*(?:```|~~~)/.test(line)) fences++;
  return fences % 2 === 1;
}

/** The last tag before it opens an element that is closed behind it. */
function isInElement(text: string, at: number): boolean {
  const open = text.lastIndexOf("<", at);
  const name =
    open < 0 ? undefined : /^<([A-Za-z][\w.-]{0,63})[^<>]*>/.exec(text.slice(open, at))?.[1];
  return name !== undefined && text.includes(`</${name}>`, at);
}
