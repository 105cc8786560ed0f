/**
 * The table of programs that people signed in on their machines. Each holds one refresh token, which is replaced with
 * every use; of the one before only the hash is kept, so that an answer that was lost can be given again.
 */

/** Milliseconds without a refresh after which a sign-in ends. */
const idleTime = 90 * 24 * 3_600_000;
/** So long the token before the last refresh is answered with the same successor, ms: its answer may have been lost. */
const replayTime = 60_000;
/** Sign-ins of one person; the one unused for the longest time gives way. */
const mostOfPerson = 50;

/** A sign-in that begins. */
export interface NewProgramSignIn {
  id: string;
  person: string;
  workspace: string;
  /** Hash of the refresh token. */
  refresh: string;
  /** The program's `User-Agent`, and where it asked from. */
  agent: string;
  address: string;
}

/** A refresh token that is to be replaced; both by hash. */
export interface ProgramRefresh {
  /** Of the sign-in, as the token says it. */
  id: string;
  given: string;
  successor: string;
}

/** Whose sign-in it is, and where. */
export interface ProgramOwner {
  id: string;
  person: string;
  workspace: string;
}

/** `reused`: a token that had been replaced came again, so another program may have it: the sign-in ends. */
export type ProgramRotation = ({ kind: "rotated" | "reused" } & ProgramOwner) | { kind: "unknown" };

/** Creates the table. */
export function createProgramSignIns(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE program_sign_ins (
      id TEXT PRIMARY KEY, person TEXT NOT NULL, workspace TEXT NOT NULL, refresh TEXT NOT NULL,
      before TEXT, agent TEXT NOT NULL, address TEXT NOT NULL,
      created INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX program_sign_ins_by_person ON program_sign_ins (person, used);`);
}

/** Begins a sign-in, and forgets those that ended by themselves. */
export function openProgramSignIn(sql: SqlStorage, signIn: NewProgramSignIn, now: number): void {
  const { id, person, workspace, refresh, agent, address } = signIn;
  sql.exec("DELETE FROM program_sign_ins WHERE used <= ?", now - idleTime);
  sql.exec(
    `DELETE FROM program_sign_ins WHERE id IN (
       SELECT id FROM program_sign_ins WHERE person = ? ORDER BY used DESC, id LIMIT -1 OFFSET ?)`,
    person,
    mostOfPerson - 1,
  );
  sql.exec(
    `INSERT INTO program_sign_ins (id, person, workspace, refresh, agent, address, created, used)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    person,
    workspace,
    refresh,
    agent,
    address,
    now,
    now,
  );
}

/** The successor takes the token's place. A token that was replaced lately gets the same successor once more. */
export function rotateProgramSignIn(
  sql: SqlStorage,
  { id, given, successor }: ProgramRefresh,
  now: number,
): ProgramRotation {
  const [row] = sql
    .exec("SELECT * FROM program_sign_ins WHERE id = ? AND used > ?", id, now - idleTime)
    .toArray();
  if (row === undefined) return { kind: "unknown" };
  const owner = { id, person: String(row["person"]), workspace: String(row["workspace"]) };
  if (row["refresh"] === given) {
    sql.exec(
      "UPDATE program_sign_ins SET refresh = ?, before = ?, used = ? WHERE id = ?",
      successor,
      given,
      now,
      id,
    );
    return { kind: "rotated", ...owner };
  }
  const again = row["before"] === given && row["refresh"] === successor;
  if (again && now <= Number(row["used"]) + replayTime) return { kind: "rotated", ...owner };
  endProgramSignIn(sql, id);
  return { kind: "reused", ...owner };
}

/** Whose it was; undefined where there is none. */
export function endProgramSignIn(sql: SqlStorage, id: string): ProgramOwner | undefined {
  const [row] = sql
    .exec("DELETE FROM program_sign_ins WHERE id = ? RETURNING person, workspace", id)
    .toArray();
  return row && { id, person: String(row["person"]), workspace: String(row["workspace"]) };
}

/** Ends those of a person, in one workspace or in all. Which they were. */
export function endProgramSignIns(
  sql: SqlStorage,
  { person, workspace }: { person: string; workspace?: string },
): ProgramOwner[] {
  return sql
    .exec(
      `DELETE FROM program_sign_ins WHERE person = ?1 AND (?2 IS NULL OR workspace = ?2)
       RETURNING id, workspace`,
      person,
      workspace ?? null,
    )
    .toArray()
    .map((row) => ({ id: String(row["id"]), person, workspace: String(row["workspace"]) }));
}
