/** What memory knows and the disk does not yet. Written in one transaction. */
import type { BlockRecord, LoggedRow } from "../contract/reports.ts";
import { addRow, type RollupRow, rowKey } from "../rules/rollup.ts";
import type { WorkspaceState } from "../rules/state.ts";
import { writeAnswerLengths } from "./answer-lengths.ts";
import { trimBlocks, writeBlock } from "./blocks.ts";
import { writeLastUse } from "./keys.ts";
import { writeLeases, writeWindows } from "./live.ts";
import { writeOutcomes } from "./outcomes.ts";
import { appendRow, trimRows } from "./request-log.ts";
import { trimSessions, writeSession } from "./sessions.ts";
import { addSums, keptSums, trimSums } from "./sums.ts";

/** What is new since the last batch: rows as they are, and for the rest the names of what changed in memory. */
export interface Batch {
  rows: LoggedRow[];
  sums: Map<string, RollupRow>;
  /** Conversations, by `conversationKey`. */
  sessions: Set<string>;
  /** Harnesses and models, by `pairKey`. */
  answers: Set<string>;
  /** Harnesses whose counts of outcomes changed. */
  outcomes: Set<string>;
  /** When keys were used: key id to epoch ms. */
  keyUses: Map<string, number>;
  blocks: Set<BlockRecord>;
  windows: boolean;
  leases: boolean;
}

/** Nothing new. */
export function newBatch(): Batch {
  return {
    rows: [],
    sums: new Map(),
    sessions: new Set(),
    answers: new Set(),
    outcomes: new Set(),
    keyUses: new Map(),
    blocks: new Set(),
    windows: false,
    leases: false,
  };
}

/** Adds sums to those that wait already. */
export function addToBatch(batch: Batch, rows: readonly RollupRow[]): void {
  for (const row of rows) {
    const key = rowKey(row);
    const sum = batch.sums.get(key);
    if (sum === undefined) batch.sums.set(key, { ...row });
    else addRow(sum, row);
  }
}

/** Where a batch is written, and the memory that its names lead to. */
export interface BatchContext {
  sql: SqlStorage;
  state: WorkspaceState;
  /** Of the process; leases of another boot are void. */
  boot: string | null;
  now: number;
}

/** Writes the batch. The caller wraps it in a transaction and starts a new batch afterwards. */
export function writeBatch(batch: Batch, context: BatchContext): void {
  const { sql, state, boot } = context;
  writeLog(batch, context);
  writeNamed(batch, context);
  for (const [id, time] of batch.keyUses) writeLastUse(sql, id, time);
  if (batch.windows) writeWindows(sql, state);
  if (batch.leases) writeLeases(sql, { boot, leases: [...state.leases.byId.values()] });
}

function writeLog({ rows, sums, blocks }: Batch, { sql, now }: BatchContext): void {
  for (const row of rows) appendRow(sql, row);
  const newest = rows.at(-1);
  if (newest !== undefined) trimRows(sql, newest.seq);
  for (const sum of sums.values()) addSums(sql, sum);
  if (sums.size > 0) trimSums(sql, now);
  for (const block of blocks) writeBlock(sql, block);
  if (blocks.size > 0) trimBlocks(sql, now - keptSums);
}

function writeNamed({ sessions, answers, outcomes }: Batch, { sql, state }: BatchContext): void {
  for (const name of sessions) {
    const session = state.sessions.get(name);
    if (session !== undefined) writeSession(sql, name, session);
  }
  if (sessions.size > 0) trimSessions(sql);
  for (const name of answers) writeAnswerLengths(sql, name, state.answers.get(name)?.lengths ?? []);
  for (const harness of outcomes) {
    const counts = state.outcomes.get(harness);
    if (counts !== undefined) writeOutcomes(sql, harness, counts);
  }
}
