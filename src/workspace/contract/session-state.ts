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
}
