/** A search of the web that the gateway makes for a model, and what comes of it. */
import type { Tool } from "../../core/request.ts";
import type { WebSearchFault, WebSource } from "../../core/web-search.ts";
import type { AttemptRecord } from "../../workspace/contract/request-record.ts";

/** One search of an answer. */
export interface SearchQuestion {
  readonly query: string;
  /** As the client offered it: its domains and location bind the search. */
  readonly tool: Extract<Tool, { kind: "hosted" }>;
  readonly signal: AbortSignal;
}

/** What was found. */
export interface Findings {
  /** What the searching model says of it. */
  readonly text: string;
  readonly sources: readonly WebSource[];
  readonly fault?: WebSearchFault;
  /** The calls that it took, as they are billed. */
  readonly sideCalls: readonly AttemptRecord[];
}

export function nothingFound(
  fault: WebSearchFault,
  sideCalls: readonly AttemptRecord[] = [],
): Findings {
  return { text: "", sources: [], fault, sideCalls };
}
