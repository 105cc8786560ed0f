/** What people say of the model that a request got. */
import type { TierName } from "./outcomes.ts";

/** It was right; a stronger one was needed; a cheaper one would do. */
export const feedbackAnswers = ["right", "too_weak", "too_strong"] as const;
/** One of them. */
export type FeedbackAnswer = (typeof feedbackAnswers)[number];

/** What one person said of a request. */
export interface GivenFeedback {
  answer: FeedbackAnswer;
  /** The tier with which it was counted; missing where the request's tier was not scored. */
  tier?: TierName;
}

/** Somebody's answer for a request of the log; without one, theirs is taken back. */
export interface FeedbackChange {
  /** Of the request. */
  id: string;
  /** Who says it: each has one answer a request. */
  who: string;
  given?: GivenFeedback;
}
