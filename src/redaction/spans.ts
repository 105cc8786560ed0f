/** Parts of a text that are taken out, and what stands in their place. */

/** What is taken out. */
export type SpanKind = "email" | "secret" | "card" | "pattern";

/** From its first index to behind its last. */
export interface RedactedSpan {
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
}

const placeholders: Readonly<Record<SpanKind, string>> = {
  email: "[email]",
  secret: "[secret]",
  card: "[card]",
  pattern: "[redacted]",
};

/** What stands for something that was taken out. */
export const placeholderPattern = /\[(?:email|secret|card|redacted)\]/g;

/** The spans in their order; those that overlap or touch are one, of the first one's kind. */
export function joinedSpans(spans: readonly RedactedSpan[]): RedactedSpan[] {
  const joined: RedactedSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const before = joined.at(-1);
    if (before === undefined || span.from > before.to) joined.push(span);
    else if (span.to > before.to) joined[joined.length - 1] = { ...before, to: span.to };
  }
  return joined;
}

/**
 * The first `most` characters of the text with placeholders for the spans that begin there; no longer than that either,
 * and without half a placeholder.
 */
export function withoutSpans(text: string, spans: readonly RedactedSpan[], most: number): string {
  let kept = "";
  let at = 0;
  for (const span of spans) {
    const from = isInsidePair(text, span.from) ? span.from - 1 : span.from;
    if (from >= most) break;
    const placeholder = placeholders[span.kind];
    kept += text.slice(at, from);
    if (kept.length + placeholder.length > most) return kept.slice(0, most);
    kept += placeholder;
    at = isInsidePair(text, span.to) ? span.to + 1 : span.to;
  }
  return (kept + text.slice(at, Math.max(at, most))).slice(0, most);
}

/** Between the two codes of one character. */
function isInsidePair(text: string, at: number): boolean {
  return (
    isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) &&
    isBetween(text.charCodeAt(at), 0xdc00, 0xdfff)
  );
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
