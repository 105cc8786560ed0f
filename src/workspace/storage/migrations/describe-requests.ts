/** Schema 6: rows of the log have columns for what they are found and added up by. */

/**
 * In rows of before, `time` is null and their record has the rest. A row's texts stand in `texts`, behind all columns
 * that are read without them: the database reads a row from its beginning. Rows of before keep theirs in `text`.
 */
export function describeRequests(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE requests ADD COLUMN time INTEGER;
    ALTER TABLE requests ADD COLUMN outcome TEXT;
    ALTER TABLE requests ADD COLUMN provider TEXT;
    ALTER TABLE requests ADD COLUMN cost REAL;
    ALTER TABLE requests ADD COLUMN input INTEGER;
    ALTER TABLE requests ADD COLUMN output INTEGER;
    ALTER TABLE requests ADD COLUMN session TEXT;
    ALTER TABLE requests ADD COLUMN agent TEXT;
    ALTER TABLE requests ADD COLUMN role TEXT;
    ALTER TABLE requests ADD COLUMN tags TEXT;
    ALTER TABLE requests ADD COLUMN key_name TEXT;
    ALTER TABLE requests ADD COLUMN texts TEXT;`);
}
