/** Where the tables and pairs of a TOML text stand: as much of TOML as changing one pair in place needs. */

/** A pair or the head of a table. Offsets into the text. */
export interface TomlPiece {
  readonly kind: "pair" | "table" | "tables";
  /** From the outermost name inwards, the table's included. */
  readonly path: readonly string[];
  readonly start: number;
  /** Behind its line's end. */
  readonly end: number;
  /** Of a pair: where its value begins and ends. */
  readonly value: { readonly start: number; readonly end: number };
}

/** Every pair and head of a text that is good TOML, in its order. */
export function tomlPieces(text: string): TomlPiece[] {
  const pieces: TomlPiece[] = [];
  let table: readonly string[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const start = at;
    const first = skipBlanks(text, at);
    if (first >= text.length || "#\r\n".includes(text[first] ?? "")) {
      at = end;
      continue;
    }
    if (text[first] === "[") {
      const kind = text[first + 1] === "[" ? "tables" : "table";
      const { path } = keyAt(text, first + (kind === "table" ? 1 : 2));
      table = path;
      pieces.push({ kind, path, start, end, value: { start: end, end } });
      at = end;
      continue;
    }
    const key = keyAt(text, first);
    const from = skipBlanks(text, skipBlanks(text, key.end) + 1);
    const to = valueEnd(text, from);
    at = lineEnd(text, to);
    pieces.push({
      kind: "pair",
      path: [...table, ...key.path],
      start,
      end: at,
      value: { start: from, end: to },
    });
  }
  return pieces;
}

function keyAt(text: string, start: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = start;
  for (;;) {
    at = skipBlanks(text, at);
    const quote = text[at];
    const end = quote === '"' || quote === "'" ? stringEnd(text, at) : bareEnd(text, at);
    const raw = text.slice(at, end);
    path.push(quote === '"' ? unescaped(raw) : quote === "'" ? raw.slice(1, -1) : raw);
    const next = skipBlanks(text, end);
    if (text[next] !== ".") return { path, end };
    at = next + 1;
  }
}

/** Escapes of TOML that JSON lacks do not stand in names that are looked for. */
function unescaped(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw;
  }
}

function bareEnd(text: string, start: number): number {
  let at = start;
  while (/[\w-]/.test(text[at] ?? "")) at += 1;
  return at;
}

/** The end of a value: strings and brackets go over lines. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  let solid = start;
  while (at < text.length) {
    const letter = text[at] ?? "";
    if (letter === '"' || letter === "'") {
      at = stringEnd(text, at);
      solid = at;
      continue;
    }
    if (letter === "#") {
      if (depth === 0) return solid;
      at = lineEnd(text, at);
      continue;
    }
    if (depth === 0 && (letter === "\n" || letter === "\r")) return solid;
    if ("[{".includes(letter)) depth += 1;
    if ("]}".includes(letter)) depth -= 1;
    at += 1;
    if (!/\s/.test(letter)) solid = at;
  }
  return solid;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? "";
  const triple = quote.repeat(3);
  const long = text.startsWith(triple, start);
  const mark = long ? triple : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at))
    at += quote === '"' && text[at] === "\\" ? 2 : 1;
  at += mark.length;
  // Up to two quotes may stand directly before the closing three.
  if (long) while (text[at] === quote) at += 1;
  return at;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function lineEnd(text: string, start: number): number {
  const found = text.indexOf("\n", start);
  return found === -1 ? text.length : found + 1;
}
