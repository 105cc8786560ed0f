/** What a sentence about a decision is made from: members of a logged request, or of a dry run. */
import type { LoggedFormat } from "../../core/operation-name.ts";

/** A decision of `auto` as the log keeps it; rows of older versions may lack members. */
export interface ToldRouting {
  readonly tier?: string | undefined;
  readonly role?: string | undefined;
  readonly reason?: string | undefined;
  /** 0..1 */
  readonly confidence?: number | undefined;
  /** Probability of each tier, weakest first. */
  readonly p?: readonly number[] | undefined;
  readonly candidates?: readonly string[] | undefined;
  readonly contributions?:
    | readonly { readonly name: string; readonly bin: string; readonly tiers: readonly number[] }[]
    | undefined;
  readonly excluded?: readonly { readonly id: string; readonly why: string }[] | undefined;
}

/** A call of a provider. */
export interface ToldAttempt {
  readonly model: string;
  readonly status: number;
  readonly outcome: "ok" | "failed" | "neutral";
  /** A call beside the answer. */
  readonly side?: true;
}

/** A request and how it was routed. */
export interface ToldDecision {
  readonly format: LoggedFormat;
  readonly requestedModel: string;
  /** A tier, `default`, the name of a header rule, or `direct`; null where it was refused before. */
  readonly tier: string | null;
  /** As the response's header said it. */
  readonly reason: string | null;
  readonly routing: ToldRouting | undefined;
  readonly attempts: readonly ToldAttempt[];
  /** Which model answered; undefined in a dry run. */
  readonly model: string | null | undefined;
  readonly error: string | null;
  /** Whose limit refused the request. */
  readonly blockedBy?: string | undefined;
  /** The client left before the answer's end. */
  readonly left?: true;
}

/** What a model is called. */
export type NameOf = (id: string) => string;
