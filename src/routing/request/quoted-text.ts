/** Tells what an author says from what they quote: code, quotations, documents. Linear. */

/** Matches of a pattern that are examined. */
const maxMatches = 20;

/** Whether a match of `pattern` (a global one) stands outside of quotations. */
export function isSaidUnquoted(text: string, pattern: RegExp): boolean {
  let examined = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (!isQuoted(text, index, index + match.length)) return true;
    if (++examined === maxMatches) return false;
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
    isInQuotationMarks(before, after) ||
    isInCodeFence(text.slice(0, lineStart)) ||
    isInElement(text, from)
  );
}

const symmetricMarks = ["`", '"'] as const;
const markPairs = [
  ["\u201c", "\u201d"],
  ["\u201e", "\u201c"],
  ["\u00ab", "\u00bb"],
  ["\u300c", "\u300d"],
  ["\u2018", "\u2019"],
] as const;

function isInQuotationMarks(before: string, after: string): boolean {
  // An apostrophe is a quotation mark only directly at the word.
  if (before.endsWith("'") && after.startsWith("'")) return true;
  return (
    symmetricMarks.some((mark) => before.split(mark).length % 2 === 0 && after.includes(mark)) ||
    markPairs.some(
      ([open, close]) =>
        before.lastIndexOf(open) > before.lastIndexOf(close) && after.includes(close),
    )
  );
}

/** An odd number of fences stands before it. */
function isInCodeFence(before: string): boolean {
  let fences = 0;
  for (const line of before.split("\n")) if (/^\s*(?:```|~~~)/.test(line)) fences++;
  return fences % 2 === 1;
}

/** The last tag before it opens an element that is closed after it. */
function isInElement(text: string, at: number): boolean {
  const open = text.lastIndexOf("<", at);
  const name =
    open < 0 ? undefined : /^<([A-Za-z][\w.-]{0,63})[^<>]*>/.exec(text.slice(open, at))?.[1];
  return name !== undefined && text.includes(`</${name}>`, at);
}
