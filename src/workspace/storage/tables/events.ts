/** The table of events: the newest are kept. */
import { newId } from "../../../lib/ids.ts";
import type { EventPage, EventType, WorkspaceEvent } from "../../contract/events.ts";

/** Events that are kept. */
const keptEvents = 500;

/** An event before it has its place. */
export interface NewEvent {
  /** Made when it is added, unless it was shown to somebody before. */
  id?: string;
  type: EventType;
  /** Epoch ms. */
  time: number;
  data: WorkspaceEvent["data"];
}

/** Adds an event, and forgets the one that is one too many. */
export function addEvent(
  sql: SqlStorage,
  { id = newId("evt_"), type, time, data }: NewEvent,
): WorkspaceEvent {
  const seq = newestEventSeq(sql) + 1;
  const text = JSON.stringify(data);
  sql.exec("INSERT INTO events VALUES (?,?,?,?,?)", seq, id, type, time, text);
  sql.exec("DELETE FROM events WHERE seq <= ?", seq - keptEvents);
  return { seq, id, type, time: new Date(time).toISOString(), data };
}

/** Number of the newest event; 0 before the first. */
export function newestEventSeq(sql: SqlStorage): number {
  const [row] = sql.exec("SELECT seq FROM events ORDER BY seq DESC LIMIT 1").toArray();
  return Number(row?.["seq"] ?? 0);
}

/** Newest first. */
export function pageEvents(
  sql: SqlStorage,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
): EventPage {
  const query = "SELECT * FROM events WHERE seq < ? ORDER BY seq DESC LIMIT ?";
  const events = Array.from(sql.exec(query, before, limit + 1), eventOf);
  const page = events.slice(0, limit);
  return { events: page, next: events.length > limit ? (page.at(-1)?.seq ?? null) : null };
}

/** The page with the events that wait, oldest first, before its newest. */
export function withWaiting(
  { events, next }: EventPage,
  { limit, before }: { limit: number; before?: number },
  waiting: readonly WorkspaceEvent[],
): EventPage {
  if (before !== undefined || waiting.length === 0) return { events, next };
  const all = [...waiting.toReversed(), ...events];
  const page = all.slice(0, limit);
  return { events: page, next: all.length > limit ? (page.at(-1)?.seq ?? null) : next };
}

function eventOf(row: Record<string, SqlStorageValue>): WorkspaceEvent {
  return {
    seq: Number(row["seq"]),
    id: String(row["id"]),
    // Both written by addEvent above.
    type: String(row["type"]) as EventType,
    time: new Date(Number(row["time"])).toISOString(),
    data: JSON.parse(String(row["data"])) as WorkspaceEvent["data"],
  };
}
