/** Keeps what people say of the model that a request got: with its row, and in the counts that routing learns from. */
import type { AuditLog } from "./audit-log.ts";
import type { Actor } from "./contract/audit.ts";
import type { FeedbackChange, GivenFeedback } from "./contract/feedback.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import { countFeedback } from "./rules/outcomes.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { findLoggedRow, type LogReading, rewriteFeedback } from "./storage/tables/request-log.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** What feedback reads and changes. */
export interface FeedbackContext {
  storage: DurableObjectStorage;
  log: LogReading;
  state: WorkspaceState;
  writes: WriteBehind;
  audit: AuditLog;
}

/** Changes feedback. */
export class Feedback {
  readonly #context: FeedbackContext;

  constructor(context: FeedbackContext) {
    this.#context = context;
  }

  /** False: the log has no such request. On the disk, row and counts alike, before it is acknowledged. */
  async give(change: FeedbackChange, by: Actor | undefined): Promise<boolean> {
    const { storage, log, writes } = this.#context;
    writes.flush();
    const row = await findLoggedRow(log, change.id);
    if (row === undefined) return false;
    return storage.transactionSync(() => {
      // The log may have gone on meanwhile.
      const record = rewriteFeedback(log.sql, row.seq, change);
      if (record === undefined) return false;
      this.#count(record, change, by);
      return true;
    });
  }

  /** `record` is the row as it was. */
  #count(record: RequestRecord, { id, who, given }: FeedbackChange, by: Actor | undefined): void {
    const { writes, audit } = this.#context;
    const before = record.feedback?.[who];
    if (before?.answer === given?.answer) return;
    this.#countOne(record.harness, before, -1);
    this.#countOne(record.harness, given, 1);
    audit.note(by, {
      action: given === undefined ? "feedback.removed" : "feedback.given",
      target: id,
      ...(before !== undefined && { before: before.answer }),
      ...(given !== undefined && { after: given.answer }),
    });
    writes.changed({ live: true });
    writes.flush();
  }

  /** A harness that went meanwhile took its counts with it. */
  #countOne(harness: string, given: GivenFeedback | undefined, step: 1 | -1): void {
    const { harnesses, outcomes } = this.#context.state;
    if (given?.tier === undefined || !harnesses.has(harness)) return;
    const { answer, tier } = given;
    outcomes.set(harness, countFeedback(outcomes.get(harness) ?? {}, { answer, tier }, step));
  }
}
