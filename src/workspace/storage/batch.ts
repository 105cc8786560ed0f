/** What memory knows and the disk does not yet. Written in one transaction. */
import type { LoggedRow } from "../contract/reports.ts";
import type { ModelNames } from "../rules/sums/model-names.ts";
import { savedNodeSum } from "../rules/sums/node-sums.ts";
import { addRow, type RollupRow, rowKey } from "../rules/sums/rollup.ts";
import type { WorkspaceState } from "../rules/state.ts";
import { type NamedBlock, writeBlock } from "./tables/blocks.ts";
import { writeLive } from "./tables/live.ts";
import { writeModelNames } from "./tables/model-names.ts";
import { appendRow } from "./tables/request-log.ts";
import { writeNodeSum } from "./tables/running.ts";
import { type SavedConversation, writeConversation } from "./tables/sessions.ts";
import { addSums } from "./tables/sums.ts";
import type { SeldomWrite } from "./tables/seldom.ts";

/** What is new since the last batch. */
export interface Batch {
  rows: LoggedRow[];
  sums: Map<string, RollupRow>;
  /** By the first of their names. */
  conversations: Map<string, SavedConversation>;
  blocks: Set<NamedBlock>;
  /** Names of models that were counted for the first time today. */
  names: ModelNames | undefined;
  /** Windows, leases, spend or outcomes changed in memory. */
  live: boolean;
  seldom: SeldomWrite | undefined;
  /** What else goes with it: events that its requests led to. */
  also: ((sql: SqlStorage) => void)[];
}

/** Nothing new. */
export function newBatch(): Batch {
  return {
    rows: [],
    sums: new Map(),
    conversations: new Map(),
    blocks: new Set(),
    names: undefined,
    live: false,
    seldom: undefined,
    also: [],
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

/** Where a batch is written, and the memory that is saved with it. */
export interface BatchContext {
  sql: SqlStorage;
  state: WorkspaceState;
  /** Of the process; leases of another boot are void. */
  boot: string | null;
}

/** Writes the batch. The caller wraps it in a transaction and starts a new batch afterwards. */
export function writeBatch(batch: Batch, { sql, state, boot }: BatchContext): void {
  for (const row of batch.rows) appendRow(sql, row);
  for (const sum of batch.sums.values()) addSums(sql, sum);
  for (const conversation of batch.conversations.values()) writeConversation(sql, conversation);
  for (const block of batch.blocks) writeBlock(sql, block);
  if (batch.names !== undefined) writeModelNames(sql, batch.names);
  if (batch.live) writeLive(sql, state, boot);
  for (const node of state.nodes.changed) writeNodeSum(sql, node, savedNodeSum(state.nodes, node));
  batch.seldom?.(sql);
  for (const write of batch.also) write(sql);
}
