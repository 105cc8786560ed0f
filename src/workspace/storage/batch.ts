/** What memory knows and the disk does not yet. Written in one transaction. */
import type { LoggedRow } from "../contract/reports.ts";
import type { ModelNames } from "../rules/sums/model-names.ts";
import { savedNodeSum } from "../rules/sums/node-sums.ts";
import { addRow, type RollupRow, rowKey } from "../rules/sums/rollup.ts";
import type { WorkspaceState } from "../rules/state.ts";
import type { NewEvent } from "./tables/events.ts";
import { type NamedBlock, writeBlock } from "./tables/blocks.ts";
import { writeLive } from "./tables/live.ts";
import { writeModelNames } from "./tables/model-names.ts";
import { appendRow } from "./tables/request-log.ts";
import { writeNodeSum } from "./tables/running.ts";
import { type SavedConversation, writeConversation } from "./tables/sessions.ts";
import type { SeldomWrite } from "./tables/seldom.ts";
import { addSums } from "./tables/sums.ts";
import { writeTold } from "./tables/told.ts";

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
  /** Names of keys and persons whose sums changed. */
  nodes: Set<string>;
  seldom: SeldomWrite[];
  /** Events that its requests led to, and by name what people were told with them; undefined: it is forgotten. */
  events: NewEvent[];
  told: Map<string, string | undefined>;
  /** What else goes with it. It may be written by a later instance, so it uses what it is given, and plain data. */
  also: ((sql: SqlStorage) => void)[];
  /** Characters of its texts, and of `also`. */
  textLength: number;
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
    nodes: new Set(),
    seldom: [],
    events: [],
    told: new Map(),
    also: [],
    textLength: 0,
  };
}

/** Characters that a row, a conversation or a sum takes about, besides its texts. */
const eachEntry = 1000;

/** About how many characters of memory the batch takes. */
export function lengthOfBatch({ rows, sums, conversations, textLength }: Batch): number {
  return (rows.length + sums.size + conversations.size) * eachEntry + textLength;
}

/** One batch of two, the earlier first; both are used up. */
export function joinBatches(first: Batch, next: Batch): Batch {
  addToBatch(first, [...next.sums.values()]);
  for (const [name, conversation] of next.conversations)
    first.conversations.set(name, conversation);
  for (const block of next.blocks) first.blocks.add(block);
  for (const node of next.nodes) first.nodes.add(node);
  for (const [name, value] of next.told) first.told.set(name, value);
  return {
    ...first,
    rows: first.rows.concat(next.rows),
    names: next.names ?? first.names,
    live: first.live || next.live,
    seldom: first.seldom.concat(next.seldom),
    events: first.events.concat(next.events),
    also: first.also.concat(next.also),
    textLength: first.textLength + next.textLength,
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
  /** Adds the event to the log of them, and to the outbox. */
  addEvent: (event: NewEvent) => void;
}

/** Writes the batch. The caller wraps it in a transaction and starts a new batch afterwards. */
export function writeBatch(batch: Batch, { sql, state, boot, addEvent }: BatchContext): void {
  for (const row of batch.rows) appendRow(sql, row);
  for (const sum of batch.sums.values()) addSums(sql, sum);
  for (const conversation of batch.conversations.values()) writeConversation(sql, conversation);
  for (const block of batch.blocks) writeBlock(sql, block);
  if (batch.names !== undefined) writeModelNames(sql, batch.names);
  if (batch.live) writeLive(sql, state, boot);
  for (const node of batch.nodes) writeNodeSum(sql, node, savedNodeSum(state.nodes, node));
  for (const write of batch.seldom) write(sql);
  for (const [name, value] of batch.told) writeTold(sql, name, value);
  for (const event of batch.events) addEvent(event);
  for (const write of batch.also) write(sql);
}
