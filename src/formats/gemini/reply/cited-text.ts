/** The text of an answer with its citations, whose places count in their own blocks. */
import type { Citation } from "../../../core/request.ts";
import type { WebSearchRun } from "../../../core/web-search.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writeGrounding } from "./grounding.ts";

/** Collects one answer's text. */
export interface CitedAnswer {
  /** Adds text; gives where it begins. */
  add(text: string): number;
  /** `from`: where the citation's block begins. */
  cite(citation: Citation, from: number): void;
  /** Its block is complete: citations without places stand for all of it. */
  close(from: number): void;
  searched(search: WebSearchRun): void;
  /** Where text that comes next begins. */
  length(): number;
  grounding(): JsonObject | undefined;
}

/** An answer of which nothing was written. */
export function citedText(): CitedAnswer {
  const pieces: string[] = [];
  const citations: Citation[] = [];
  const searches: WebSearchRun[] = [];
  /** How many citations have their places. */
  let placed = 0;
  let length = 0;
  return {
    add(text) {
      const from = length;
      pieces.push(text);
      length += text.length;
      return from;
    },
    cite(citation, from) {
      const { start, end } = citation;
      citations.push({
        ...citation,
        ...(start !== undefined && { start: start + from }),
        ...(end !== undefined && { end: end + from }),
      });
    },
    close(from) {
      for (; placed < citations.length; placed++) {
        const citation = citations[placed];
        if (citation !== undefined && citation.end === undefined)
          citations[placed] = { ...citation, start: from, end: length };
      }
    },
    searched: (search) => void searches.push(search),
    length: () => length,
    grounding: () =>
      citations.length + searches.length === 0
        ? undefined
        : writeGrounding({ citations, searches }, pieces.join("")),
  };
}
