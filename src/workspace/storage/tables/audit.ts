/** The table of the audit log. Rows are added at its end; triggers refuse everything else. */
import type { Actor, AuditFilter, AuditPage, LoggedEvent } from "../../contract/audit.ts";
import { firstHash } from "../../rules/audit/audit-chain.ts";
import { readingPace, sliceRows } from "../sql/slices.ts";

/** Characters of the events of one page: an RPC call holds 32 MB. */
const longestPage = 4_000_000;

/**
 * Makes the table. A row that is replaced goes without a DELETE, so an INSERT is refused anywhere but at the end: places
 * have no gaps, and times only grow, by which spans of time are found.
 */
export function createAuditTable(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE audit (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL, time INTEGER NOT NULL, actor_type TEXT NOT NULL,
      actor_id TEXT NOT NULL, actor_email TEXT, action TEXT NOT NULL, target TEXT NOT NULL,
      before TEXT, after TEXT, hash TEXT NOT NULL);
    CREATE TRIGGER audit_is_not_updated BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'an event of the audit log cannot be altered'); END;
    CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
      BEGIN SELECT RAISE(ABORT, 'an event of the audit log cannot be removed'); END;
    CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
      WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM audit)
        OR NEW.time < (SELECT COALESCE(MAX(time), 0) FROM audit WHERE seq = NEW.seq - 1)
      BEGIN SELECT RAISE(ABORT, 'the audit log grows at its end only'); END;`);
}

/** The end of the log: what the next event follows. */
export interface AuditHead {
  seq: number;
  /** Epoch ms. */
  time: number;
  hash: string;
}

/** Place 0 before the first event. */
export function readAuditHead(sql: SqlStorage): AuditHead {
  const query = "SELECT seq, time, hash FROM audit ORDER BY seq DESC LIMIT 1";
  const [row] = sql.exec(query).toArray();
  if (row === undefined) return { seq: 0, time: 0, hash: firstHash };
  return { seq: Number(row["seq"]), time: Number(row["time"]), hash: String(row["hash"]) };
}

/** Adds an event. */
export function appendEvent(sql: SqlStorage, event: LoggedEvent): void {
  const { seq, id, time, actor, action, target, before, after, hash } = event;
  sql.exec(
    "INSERT INTO audit VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    seq,
    id,
    Date.parse(time),
    actor.type,
    actor.id,
    actor.email ?? null,
    action,
    target,
    before === undefined ? null : JSON.stringify(before),
    after === undefined ? null : JSON.stringify(after),
    hash,
  );
}

/** Whether such an event was written at or after that time (epoch ms). */
export function hasEventSince(
  sql: SqlStorage,
  { actor, action, target }: Pick<LoggedEvent, "actor" | "action" | "target">,
  since: number,
): boolean {
  const query = `SELECT 1 FROM audit WHERE seq >= ? AND action = ? AND target = ?
    AND actor_type = ? AND actor_id = ? LIMIT 1`;
  const from = firstSeqAt(sql, since);
  return sql.exec(query, from, action, target, actor.type, actor.id).toArray().length > 0;
}

/** Newest first. Without a filter it reads the page's rows and no others, whatever the log's length. */
export async function pageAudit(sql: SqlStorage, filter: AuditFilter): Promise<AuditPage> {
  const span = spanOf(sql, filter);
  const events: LoggedEvent[] = [];
  let length = 0;
  for (let to = span.to; to > span.from; to = Math.max(span.from, to - sliceRows)) {
    const from = Math.max(span.from, to - sliceRows);
    // One more than was asked for shows that there are more.
    const limit = filter.limit + 1 - events.length;
    for (const seq of matching(sql, { from, to }, { ...filter, limit })) {
      // One by one: events may be long, and a cursor that is left open locks its table.
      const row = sql.exec("SELECT * FROM audit WHERE seq = ?", seq).one();
      length += String(row["before"]).length + String(row["after"]).length;
      const isFull = events.length >= filter.limit || (length > longestPage && events.length > 0);
      if (isFull) return { events, next: events.at(-1)?.seq ?? null };
      events.push(auditEventOf(row));
    }
    if (from > span.from) await readingPace.turn("audit log");
  }
  return { events, next: null };
}

/** Places; `from` inclusive, `to` exclusive. */
interface Span {
  from: number;
  to: number;
}

function spanOf(sql: SqlStorage, { before, from, to }: AuditFilter): Span {
  const end = to === undefined ? readAuditHead(sql).seq + 1 : firstSeqAt(sql, to);
  return {
    from: from === undefined ? 1 : firstSeqAt(sql, from),
    to: Math.min(end, before ?? Infinity),
  };
}

/** Events that are looked at for a person's address: the log has no index by actor. */
const lookedForEmail = 5000;

/** The person's e-mail address in the newest of their events; undefined where none of the last 5,000 is theirs. */
export function newestEmailOf(sql: SqlStorage, person: string): string | undefined {
  const query = `SELECT actor_email FROM audit
    WHERE seq > (SELECT MAX(seq) FROM audit) - ? AND actor_id = ? AND actor_type = 'user'
      AND actor_email IS NOT NULL ORDER BY seq DESC LIMIT 1`;
  const [row] = sql.exec(query, lookedForEmail, person).toArray();
  return row === undefined ? undefined : String(row["actor_email"]);
}

/** Place of the first event at or after that time; the one behind the last where there is none. */
function firstSeqAt(sql: SqlStorage, time: number): number {
  let [low, high] = [1, readAuditHead(sql).seq + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = sql.exec("SELECT time FROM audit WHERE seq = ?", middle).one();
    if (Number(row["time"]) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places of the span's events that match, newest first. */
function matching(sql: SqlStorage, { from, to }: Span, filter: AuditFilter): number[] {
  const where = ["seq >= ?", "seq < ?"];
  const values: (string | number)[] = [from, to];
  const { actor, action } = filter;
  if (actor !== undefined) {
    where.push("(actor_id = ? OR actor_email = ? OR actor_type = ?)");
    values.push(actor, actor, actor);
  }
  if (action !== undefined) {
    where.push("(action = ? OR substr(action, 1, ?) = ?)");
    values.push(action, action.length + 1, `${action}.`);
  }
  const query = `SELECT seq FROM audit WHERE ${where.join(" AND ")} ORDER BY seq DESC LIMIT ?`;
  return Array.from(sql.exec(query, ...values, filter.limit), ({ seq }) => Number(seq));
}

/** The event that a row of the table holds. */
export function auditEventOf(row: Record<string, SqlStorageValue>): LoggedEvent {
  return {
    seq: Number(row["seq"]),
    id: String(row["id"]),
    time: new Date(Number(row["time"])).toISOString(),
    actor: actorOf(row),
    action: String(row["action"]),
    target: String(row["target"]),
    ...(row["before"] !== null && { before: JSON.parse(String(row["before"])) as unknown }),
    ...(row["after"] !== null && { after: JSON.parse(String(row["after"])) as unknown }),
    hash: String(row["hash"]),
  };
}

function actorOf(row: Record<string, SqlStorageValue>): Actor {
  const email = row["actor_email"];
  return {
    // Written by appendEvent above.
    type: String(row["actor_type"]) as Actor["type"],
    id: String(row["actor_id"]),
    ...(typeof email === "string" && { email }),
  };
}
