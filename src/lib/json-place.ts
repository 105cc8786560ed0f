/** Where something is in a JSON text, so that faults of a file name their line. */

/** A line and a column, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Why a text is no JSON, in words, and where. */
export interface JsonFault extends TextPlace {
  readonly message: string;
}

/**
 * A text, a sign, or a word such as a number. A quote that nothing closes is a token too, whatever it ends with: what
 * began with a quote never has to be tried in another way, which would take time without end.
 */
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/g;

type Wanted = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma";

const wantedWords: Readonly<Record<Wanted, string>> = {
  value: "a value",
  "value or ]": "a value or the end of the list",
  name: "a name in double quotes",
  "name or }": "a name in double quotes or the end of the object",
  colon: "a colon",
  comma: "a comma or an end",
};

/**
 * The first place where the text is no JSON; undefined where it is.
 *
 *     jsonFault('{"a": 1,\n}'); // { line: 2, column: 1, message: 'expected a name in double quotes, found "}"' }
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  let isOver = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const next: Wanted | undefined = isOver ? undefined : after(token, wanted, open);
    if (next === undefined) {
      const words = isOver ? "the end" : wantedWords[wanted];
      const found = JSON.stringify(token.slice(0, 20));
      return { ...placeAt(text, index), message: `expected ${words}, found ${found}` };
    }
    wanted = next;
    isOver = open.length === 0;
  }
  if (isOver) return undefined;
  return {
    ...placeAt(text, text.length),
    message: `unexpected end: expected ${wantedWords[wanted]}`,
  };
}

/** What may follow the token, which `open` follows; undefined where it must not stand there. */
function after(token: string, wanted: Wanted, open: ("{" | "[")[]): Wanted | undefined {
  switch (token) {
    case "{":
    case "[":
      if (wanted !== "value" && wanted !== "value or ]") return undefined;
      open.push(token);
      return token === "{" ? "name or }" : "value or ]";
    case "}":
      if (open.at(-1) !== "{" || (wanted !== "comma" && wanted !== "name or }")) return undefined;
      open.pop();
      return "comma";
    case "]":
      if (open.at(-1) !== "[" || (wanted !== "comma" && wanted !== "value or ]")) return undefined;
      open.pop();
      return "comma";
    case ":":
      return wanted === "colon" ? "value" : undefined;
    case ",":
      if (wanted !== "comma") return undefined;
      return open.at(-1) === "{" ? "name" : "value";
    default:
      return afterScalar(token, wanted);
  }
}

function afterScalar(token: string, wanted: Wanted): Wanted | undefined {
  if (wanted === "colon" || wanted === "comma" || !isScalar(token)) return undefined;
  if (wanted === "value" || wanted === "value or ]") return "comma";
  return token.startsWith('"') ? "colon" : undefined;
}

function isScalar(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where the value of that path begins, or the one that it should stand in. The text is JSON.
 *
 *     placeOfPath('{\n"a": [1,\n2]}', ["a", 1]); // { line: 3, column: 1 }
 */
export function placeOfPath(text: string, path: readonly (string | number)[]): TextPlace {
  const open: { isList: boolean; at: string | number; isNamed: boolean }[] = [];
  let best = { depth: -1, index: 0 };
  const note = (index: number): void => {
    const depth = open.length;
    if (depth > best.depth && depth <= path.length && open.every(({ at }, n) => at === path[n]))
      best = { depth, index };
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === "}" || token === "]") open.pop();
    else if (token === "," && inside !== undefined) {
      inside.isNamed = false;
      if (typeof inside.at === "number") inside.at += 1;
    } else if (token === ",") continue;
    else if (token === ":" && inside !== undefined) inside.isNamed = true;
    else if (inside !== undefined && !inside.isList && !inside.isNamed) {
      inside.at = String(JSON.parse(token));
      note(index);
    } else {
      if (inside === undefined || inside.isList) note(index);
      if (token === "{") open.push({ isList: false, at: "", isNamed: false });
      if (token === "[") open.push({ isList: true, at: 0, isNamed: true });
    }
  }
  return placeAt(text, best.index);
}

function placeAt(text: string, index: number): TextPlace {
  const before = text.slice(0, index);
  const line = before.split("\n").length;
  return { line, column: index - before.lastIndexOf("\n") };
}
