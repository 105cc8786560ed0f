/** What memory knows and the disk does not yet. Written in one transaction, at most half a second later. */
import type { LoggedRow } from "./ledger.ts";
import { addSums, appendRow, keptSums, trimRows, trimSums } from "./ledger.ts";
import {
  type BlockRecord,
  trimBlocks,
  trimSessions,
  writeAnswers,
  writeBlock,
  writeLastUse,
  writeMeta,
  writeOutcomes,
  writeSession,
} from "./registry.ts";
import { addRow, type RollupRow, rowKey } from "../rules/rollup.ts";
import type { WorkspaceState } from "../rules/state.ts";

export interface Batch {
  rows: LoggedRow[];
  sums: Map<string, RollupRow>;
  /** Names of sessions and of harness and model pairs that changed. */
  sessions: Set<string>;
  answers: Set<string>;
  /** Harnesses whose counts of outcomes changed. */
  outcomes: Set<string>;
  /** Key id to epoch ms. */
  used: Map<string, number>;
  blocks: Set<BlockRecord>;
  /** Windows or leases changed. */
  live: boolean;
}

export function newBatch(): Batch {
  return {
    rows: [],
    sums: new Map(),
    sessions: new Set(),
    answers: new Set(),
    outcomes: new Set(),
    used: new Map(),
    blocks: new Set(),
    live: false,
  };
}

export function addToBatch(batch: Batch, rows: readonly RollupRow[]): void {
  for (const row of rows) {
    const key = rowKey(row);
    const sum = batch.sums.get(key);
    if (sum === undefined) batch.sums.set(key, { ...row });
    else addRow(sum, row);
  }
}

/** Sessions kept on the disk. */
const keptSessions = 2000;
/** A throttle window longer than this is not saved whole: only its newest requests. */
const savedTimes = 20_000;

export interface WriteContext {
  sql: SqlStorage;
  state: WorkspaceState;
  /** Of the process; leases of another boot are void. */
  boot: string | null;
  now: number;
}

/** Writes the batch. The caller wraps it in a transaction and starts a new batch afterwards. */
export function writeBatch(batch: Batch, { sql, state, boot, now }: WriteContext): void {
  for (const row of batch.rows) appendRow(sql, row);
  const newest = batch.rows.at(-1);
  if (newest !== undefined) trimRows(sql, newest.seq);
  for (const sum of batch.sums.values()) addSums(sql, sum);
  if (batch.sums.size > 0) trimSums(sql, now);
  for (const name of batch.sessions) {
    const value = state.sessions.get(name);
    if (value !== undefined) writeSession(sql, { name, used: value.lastUsed, value });
  }
  if (batch.sessions.size > 0) trimSessions(sql, keptSessions);
  for (const name of batch.answers) writeAnswers(sql, name, state.answers.get(name)?.lengths ?? []);
  for (const harness of batch.outcomes) {
    const value = state.outcomes.get(harness);
    if (value !== undefined) writeOutcomes(sql, harness, value);
  }
  for (const [id, time] of batch.used) writeLastUse(sql, id, new Date(time).toISOString());
  for (const block of batch.blocks) writeBlock(sql, block);
  if (batch.blocks.size > 0) trimBlocks(sql, now - keptSums);
  if (batch.live) writeLive({ sql, state, boot, now });
}

function writeLive({ sql, state, boot }: WriteContext): void {
  if (state.policy.variant === "A") writeMeta(sql, "window", state.window.times);
  else {
    const times = [...state.throttles].map(([name, window]) => [
      name,
      window.times.slice(-savedTimes),
    ]);
    writeMeta(sql, "throttles", Object.fromEntries(times));
  }
  writeMeta(sql, "leases", { boot, leases: [...state.leases.byId.values()] });
}
