/** A search of the web that was run for an answer, in the terms that formats share. */
export interface WebSearchRun {
  /** Missing where the provider does not say it. */
  readonly query?: string;
  /** In the order in which they were found. */
  readonly sources: readonly WebSource[];
  /** Why there are none, where the search failed. */
  readonly fault?: WebSearchFault;
}

/** A page that was found. */
export interface WebSource {
  readonly url: string;
  readonly title?: string;
  /** What was read of it, where the gateway itself searched. */
  readonly text?: string;
}

/** `unavailable`: nobody searches for this model; `failed`: the search went wrong; `spent`: the request's searches are used up. */
export type WebSearchFault = "unavailable" | "failed" | "spent";
