/** What a conversation's last answer left behind, for session affinity. */
export interface SessionState {
  /** `<connection>/<model>` that answered last. */
  model: string;
  tier: string;
  /** Epoch ms of the last answer. */
  lastUsed: number;
  /** Cached tokens that the provider reported last, and the whole input. */
  cachedTokens: number;
  inputTokens: number;
  turns: number;
  /** How the work went; missing: nothing of note, or from the version before. */
  work?: SessionWork;
  /** USD; only of the state that counts what a conversation with a budget has cost. */
  spent?: number;
}

/** How an agent's work in a conversation went, in a few numbers: no text of it is kept. */
export interface SessionWork {
  /** How often a failure raised the model. */
  raises: number;
  /** Tool calls in the conversation at the last raise: steps before it are not the present model's. */
  raisedAt?: number;
  /** `turns` at the last raise. */
  raisedTurn?: number;
  /** Answers in a row that were empty, cut off, refused, or called tools against their schemas; missing: none. */
  flaws?: number;
}
