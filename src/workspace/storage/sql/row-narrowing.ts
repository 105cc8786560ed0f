/**
 * SQL that leaves out most rows of the log that do not meet conditions, and none that does: `meetsConditions` then
 * decides. Rows of the version before lack the newer columns, and are left to it.
 */
import type { RowConditions } from "../../contract/reports.ts";

type SqlValue = string | number;

/** A condition with the values of its places. */
interface Narrowing {
  where: string;
  values: SqlValue[];
}

/** All but the text that is looked for. `keysOfName`: ids of the keys that are called like the one that is asked for. */
export function narrowingOf(conditions: RowConditions, keysOfName: readonly string[]): Narrowing {
  const parts = [
    ...oldColumns(conditions, keysOfName),
    ...newColumns(conditions).map(({ where, values }) => ({
      where: `(time IS NULL OR ${where})`,
      values,
    })),
  ];
  return {
    where: parts.map(({ where }) => where).join(" AND ") || "TRUE",
    values: parts.flatMap(({ values }) => values),
  };
}

function oldColumns(asked: RowConditions, keysOfName: readonly string[]): Narrowing[] {
  const { harness, status, person, model, key, feedback } = asked;
  const parts: Narrowing[] = [];
  if (harness !== undefined) parts.push(part("harness = ?", harness));
  if (status !== undefined) parts.push(part("status >= ? AND status < ?", ...status));
  if (person !== undefined) parts.push(part("person = ?", person));
  if (model !== undefined) parts.push(part("(model = ? OR requested = ?)", model, model));
  // Most rows have none: those that do are read.
  if (feedback !== undefined) parts.push(part("instr(row, ?) > 0", '"feedback":{'));
  if (key !== undefined) {
    const ids = "key_id IN (SELECT value FROM json_each(?))";
    parts.push(
      part(`(time IS NULL OR ${ids} OR key_name = ?)`, JSON.stringify([key, ...keysOfName]), key),
    );
  }
  return parts;
}

function newColumns(asked: RowConditions): Narrowing[] {
  const { outcomes, provider, from, to, minCost, maxCost, session, agent, role } = asked;
  const parts = (asked.tags ?? []).map(({ name, value }) => {
    // Names of tags have no quotes.
    const path = `$."${name}"`;
    if (value === undefined) return part("json_extract(tags, ?) IS NOT NULL", path);
    return part("json_extract(tags, ?) = ?", path, value);
  });
  if (outcomes !== undefined)
    parts.push(part(`outcome IN (${outcomes.map(() => "?").join(",")})`, ...outcomes));
  if (provider !== undefined) parts.push(part("provider = ?", provider));
  if (from !== undefined) parts.push(part("time >= ?", from));
  if (to !== undefined) parts.push(part("time < ?", to));
  if (minCost !== undefined) parts.push(part("cost >= ?", minCost));
  if (maxCost !== undefined) parts.push(part("cost <= ?", maxCost));
  if (session !== undefined) parts.push(part("session = ?", session));
  if (agent !== undefined) parts.push(part("agent = ?", agent));
  if (role !== undefined) parts.push(part("role = ?", role));
  return parts;
}

/**
 * Whether a row may have the text. The database's LIKE takes 50 bytes and has wildcards; `instr` has neither. What has no
 * letters need not be lowered. `keysOfName`: ids of the keys whose names of today have it.
 */
export function mayHaveText(text: string, keysOfName: readonly string[]): Narrowing {
  const piece = plainPiece(text);
  if (piece === "") return part("TRUE");
  const lowered = (column: string): string => (/[a-z]/.test(piece) ? `lower(${column})` : column);
  const [row, texts] = [lowered("row"), lowered("COALESCE(texts, text)")];
  const found = part(
    `instr(${row}, ?) > 0 OR COALESCE(instr(${texts}, ?) > 0, FALSE)`,
    piece,
    piece,
  );
  if (keysOfName.length === 0) return part(`(${found.where})`, ...found.values);
  const ids = "key_id IN (SELECT value FROM json_each(?))";
  // Rows of the version before have no such column: any of them may be of such a key.
  const isOfKey = `(time IS NULL OR COALESCE(${ids}, FALSE))`;
  return part(`(${found.where} OR ${isOfKey})`, ...found.values, JSON.stringify(keysOfName));
}

function part(where: string, ...values: SqlValue[]): Narrowing {
  return { where, values };
}

/**
 * The longest part of the text that has one spelling, as JSON has it: the database lowers only the letters of ASCII, and a
 * tag's name and value stand there by themselves. A row that has the text also has this part.
 */
function plainPiece(text: string): string {
  const pieces = text.split(/(?:=|(?!\p{ASCII})\p{Changes_When_Casemapped})+/u);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), "");
  return JSON.stringify(longest.toLowerCase()).slice(1, -1);
}
