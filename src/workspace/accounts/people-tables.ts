/** The tables of people: users, memberships, groups, invitations, access tokens, and what sessions know of them. */

/** Step 3 of the directory. Times are epoch ms; what is `hash` is the only form in which a secret text is kept. */
export function createPeopleTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE users (
      id TEXT PRIMARY KEY, issuer TEXT NOT NULL, subject TEXT NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL,
      groups TEXT NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL, UNIQUE (issuer, subject));
    CREATE INDEX users_by_email ON users (email);
    CREATE TABLE memberships (
      workspace TEXT NOT NULL, user TEXT NOT NULL, own TEXT, grouped TEXT, joined INTEGER NOT NULL, leaving INTEGER,
      PRIMARY KEY (workspace, user)) WITHOUT ROWID;
    CREATE INDEX memberships_by_user ON memberships (user);
    CREATE TABLE group_roles (
      workspace TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (workspace, name)) WITHOUT ROWID;
    CREATE INDEX group_roles_by_name ON group_roles (name);
    CREATE TABLE invitations (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, role TEXT NOT NULL, email TEXT,
      inviter TEXT, created INTEGER NOT NULL, expires INTEGER NOT NULL, user TEXT);
    CREATE INDEX invitations_by_email ON invitations (email);
    CREATE TABLE access_tokens (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, role TEXT NOT NULL, user TEXT,
      name TEXT NOT NULL, last4 TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, used INTEGER);
    CREATE TABLE logins (hash TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
    ALTER TABLE sessions ADD COLUMN handle TEXT;
    ALTER TABLE sessions ADD COLUMN user TEXT;
    ALTER TABLE sessions ADD COLUMN chosen TEXT;
    ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN offered TEXT;
    ALTER TABLE sessions ADD COLUMN replaced TEXT;
    UPDATE sessions SET handle = 'ses_' || lower(hex(randomblob(12))), created = used, changed = used;
    CREATE UNIQUE INDEX sessions_by_handle ON sessions (handle);
    CREATE INDEX sessions_by_offered ON sessions (offered);
    CREATE INDEX sessions_by_replaced ON sessions (replaced);
    CREATE INDEX sessions_by_user ON sessions (user);`);
}
