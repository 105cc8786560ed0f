/**
 * The table of device codes: a program on somebody's machine asks to be signed in, shows a short code, and asks again
 * until a person has judged it in a browser.
 */

/** Milliseconds for which a code may be confirmed and redeemed. */
export const deviceGrantTime = 10 * 60_000;
/** Seconds that a program waits between two questions, unless it was told to slow down. */
export const devicePause = 5;
/** A question that comes this much too early, ms, is let pass: clocks and networks are not exact. */
const pauseSlack = 500;
const longestPause = 60;
/** Codes that are kept. Anybody may ask for one, so a new one takes another's place where all are taken. */
const mostKept = 1000;

/** A request to be signed in. */
export interface NewDeviceGrant {
  /** Hash of the device code, which only the program knows. */
  device: string;
  /** The short code that people compare, `XXXX-XXXX`. */
  code: string;
  /** Where it came from, as the throttle names addresses. */
  address: string;
  /** Its `User-Agent`. */
  agent: string;
}

/** A request that waits for a person, as the page shows it. */
export interface OpenDeviceGrant {
  code: string;
  address: string;
  agent: string;
  /** Epoch ms. */
  created: number;
}

/** What a person decided about a code. */
export type DeviceVerdict =
  | { code: string; verdict: "denied" }
  | { code: string; verdict: "approved"; person: string; workspace: string };

/** What a program is told when it asks. `expired`: also unknown, or redeemed before. */
export type DevicePoll =
  | { kind: "pending" | "slow_down" | "denied" | "expired" }
  | { kind: "approved"; person: string; workspace: string; agent: string; address: string };

/** Creates the table. Without a verdict, `person` is who has opened the page of the code. */
export function createDeviceGrants(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE device_grants (
      device TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, address TEXT NOT NULL, agent TEXT NOT NULL,
      created INTEGER NOT NULL, polled INTEGER, pause INTEGER NOT NULL,
      verdict TEXT, person TEXT, workspace TEXT) WITHOUT ROWID`);
}

/** `taken`: the short code is in use, another one will do. */
export function openDeviceGrant(
  sql: SqlStorage,
  { device, code, address, agent }: NewDeviceGrant,
  now: number,
): "opened" | "taken" {
  sql.exec("DELETE FROM device_grants WHERE created <= ?", now - deviceGrantTime);
  const kept = Number(sql.exec("SELECT COUNT(*) AS kept FROM device_grants").one()["kept"]);
  if (kept >= mostKept) dropLeastUsed(sql, kept - mostKept + 1);
  const { rowsWritten } = sql.exec(
    `INSERT OR IGNORE INTO device_grants (device, code, address, agent, created, pause)
     VALUES (?, ?, ?, ?, ?, ?)`,
    device,
    code,
    address,
    agent,
    now,
    devicePause,
  );
  return rowsWritten > 0 ? "opened" : "taken";
}

/**
 * First go codes that no person has looked at, those of the address with the most codes before others, and of its codes
 * the one whose program asked least lately. A program asks every few seconds, so whoever wants to push out its code must
 * keep hundreds alive; and once somebody has opened the page, strangers cannot.
 */
function dropLeastUsed(sql: SqlStorage, count: number): void {
  sql.exec(
    `DELETE FROM device_grants WHERE device IN (
       SELECT device FROM device_grants
       JOIN (SELECT address, COUNT(*) AS held FROM device_grants GROUP BY address) USING (address)
       ORDER BY (verdict IS NOT NULL OR person IS NOT NULL), held DESC, COALESCE(polled, created)
       LIMIT ?)`,
    count,
  );
}

/** Notes which person has opened the page of a code that waits: from then on strangers cannot push it out. */
export function markDeviceGrant(sql: SqlStorage, code: string, person: string): void {
  sql.exec(
    "UPDATE device_grants SET person = ? WHERE code = ? AND verdict IS NULL AND person IS NULL",
    person,
    code,
  );
}

/** The request that waits under that short code. */
export function findDeviceGrant(
  sql: SqlStorage,
  code: string,
  now: number,
): OpenDeviceGrant | undefined {
  const [row] = sql
    .exec(
      `SELECT code, address, agent, created FROM device_grants
       WHERE code = ? AND verdict IS NULL AND created > ?`,
      code,
      now - deviceGrantTime,
    )
    .toArray();
  return (
    row && {
      code: String(row["code"]),
      address: String(row["address"]),
      agent: String(row["agent"]),
      created: Number(row["created"]),
    }
  );
}

/** False: no request waits under that code any more. */
export function judgeDeviceGrant(sql: SqlStorage, judged: DeviceVerdict, now: number): boolean {
  if (findDeviceGrant(sql, judged.code, now) === undefined) return false;
  const { person, workspace } =
    judged.verdict === "approved" ? judged : { person: null, workspace: null };
  sql.exec(
    "UPDATE device_grants SET verdict = ?, person = ?, workspace = ? WHERE code = ?",
    judged.verdict,
    person,
    workspace,
    judged.code,
  );
  return true;
}

/** Answers the program once with the verdict: a code that was judged is gone after that. */
export function pollDeviceGrant(sql: SqlStorage, device: string, now: number): DevicePoll {
  const [row] = sql
    .exec(
      "SELECT * FROM device_grants WHERE device = ? AND created > ?",
      device,
      now - deviceGrantTime,
    )
    .toArray();
  if (row === undefined) return { kind: "expired" };
  const { polled, verdict } = row;
  const pause = Number(row["pause"]);
  if (typeof polled === "number" && now < polled + pause * 1000 - pauseSlack)
    return slowDown(sql, { device, pause, now });
  if (verdict === null) {
    sql.exec("UPDATE device_grants SET polled = ? WHERE device = ?", now, device);
    return { kind: "pending" };
  }
  sql.exec("DELETE FROM device_grants WHERE device = ?", device);
  return verdict === "approved" ? approvalOf(row) : { kind: "denied" };
}

function approvalOf(row: Record<string, SqlStorageValue>): DevicePoll {
  return {
    kind: "approved",
    person: String(row["person"]),
    workspace: String(row["workspace"]),
    agent: String(row["agent"]),
    address: String(row["address"]),
  };
}

/** Whoever asks too often waits longer between questions from then on. */
function slowDown(
  sql: SqlStorage,
  { device, pause, now }: { device: string; pause: number; now: number },
): DevicePoll {
  const longer = Math.min(pause + devicePause, longestPause);
  sql.exec("UPDATE device_grants SET polled = ?, pause = ? WHERE device = ?", now, longer, device);
  return { kind: "slow_down" };
}

/** Codes that somebody confirmed who leaves that workspace are void. */
export function dropDeviceGrants(
  sql: SqlStorage,
  { person, workspace }: { person: string; workspace?: string },
): void {
  sql.exec(
    "DELETE FROM device_grants WHERE person = ?1 AND (?2 IS NULL OR workspace = ?2)",
    person,
    workspace ?? null,
  );
}
