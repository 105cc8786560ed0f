/** Brings a workspace's state back from the disk, before the first request is admitted. */
import type { Limits } from "../../policy/limits.ts";
import type { Config } from "../../store/config.ts";
import { hold, type LeaseState } from "../rules/lease.ts";
import { keyNode } from "../rules/nodes.ts";
import { newNodeSums, noteUse } from "../rules/sums/node-sums.ts";
import { conversationStates, newState, putKey, type WorkspaceState } from "../rules/state.ts";
import { readStoredDocument, type StoredDocument, writeStoredDocument } from "./tables/document.ts";
import { readKeys } from "./tables/keys.ts";
import { readLive, restoreLive, type SavedLive } from "./tables/live.ts";
import { readPeople } from "./tables/people.ts";
import { readNodeSum } from "./tables/running.ts";
import { readConversations } from "./tables/sessions.ts";

/** What a state is made of besides its tables. */
export interface LoadContext {
  sql: SqlStorage;
  limits: Limits;
  workspace: string;
  /** The document of a workspace that has none yet. */
  firstDocument: Config;
}

/** What the tables have. */
export interface LoadedState {
  state: WorkspaceState;
  /** What changes with every request, as it was saved; undefined in a new workspace. */
  live: SavedLive | undefined;
}

/** The state as the tables have it, its spend where it was saved (`spendKnown`); a new workspace gets its first document. */
export function loadState(context: LoadContext): LoadedState {
  const { sql, limits, workspace } = context;
  const document = readStoredDocument(sql) ?? firstStored(context);
  const state = newState(limits, { workspace, ...document });
  for (const key of readKeys(sql)) putKey(state, key);
  state.people = readPeople(sql);
  state.nodes = newNodeSums((name) => readNodeSum(sql, name));
  const live = readLive(sql);
  state.spendKnown = false;
  if (live !== undefined) restoreLive(state, live);
  state.sessions = conversationStates(readConversations(sql));
  return { state, live };
}

/** What requests changed in memory, as the instance before knew it; document, keys and people are those of the disk. */
export function takeOver(state: WorkspaceState, before: WorkspaceState): void {
  const { windows, leases, slotTimes, month, answers, cooling, sessions, outcomes, goneKeys } =
    before;
  Object.assign(state, {
    windows,
    leases,
    slotTimes,
    month,
    answers,
    cooling,
    sessions,
    outcomes,
    goneKeys,
  });
  state.nodes = { ...before.nodes, read: state.nodes.read };
  state.spendKnown = before.spendKnown && before.calendar.timezone === state.calendar.timezone;
  if (state.spendKnown) state.spend = before.spend;
}

function firstStored({ sql, firstDocument }: LoadContext): StoredDocument {
  const document = { config: firstDocument, generation: 1 };
  writeStoredDocument(sql, document);
  return document;
}

/**
 * Puts the saved leases into the state: those of this boot hold on until they expire, those of another are
 * returned as void, because their connections ended with their process.
 */
export function loadLeases(
  state: WorkspaceState,
  saved: SavedLive | undefined,
  boot: string | null,
): LeaseState[] {
  if (saved === undefined) return [];
  for (const lease of saved.leases) {
    hold(state.leases, lease);
    if (lease.key !== undefined && state.keysById.has(lease.key))
      noteUse(state.nodes, keyNode(lease.key), lease.started);
  }
  return boot !== null && saved.boot !== boot ? saved.leases : [];
}
