/** What humans say in sessions. Words tell little of what work needs, so each list holds easy and hard words. */

export interface Phrases {
  /** Tasks, by the ability that their words suggest. `{file}` and `{name}` are filled in. */
  readonly tasks: readonly [readonly string[], readonly string[], readonly string[]];
  /** "Run the tests", "commit this". */
  readonly chores: readonly string[];
  /** By the ability that they need: one, or two and more. */
  readonly questions: readonly [readonly string[], readonly string[]];
  /** Wishes that change or add to what was just done. */
  readonly steering: readonly string[];
  readonly thanks: readonly string[];
  /** That it still does not work, or is wrong. */
  readonly complaints: readonly string[];
  /** What the human says who stops trying. */
  readonly resignations: readonly string[];
  /** What the main agent asks an agent that looks around, and one that works. */
  readonly explorations: readonly string[];
  readonly delegations: readonly string[];
}

/** Names that fill in `{name}`. */
export const names = [
  "InvoiceService",
  "retryCount",
  "the login form",
  "SessionStore",
  "the export job",
  "parseHeader",
  "the settings page",
  "RateLimiter",
  "the webhook handler",
  "UserTable",
  "the search index",
  "the upload queue",
];
