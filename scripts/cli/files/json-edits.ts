/** Puts one member into a JSON text, or takes it out, and touches no other line: jsonc-parser's own edits reformat some. */
import { createScanner, findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import { lineEndOf, type MemberPath, type MemberValue } from "./member.ts";

/** The text with this value at that place; the objects that it needs are made. */
export function withJsonMember(text: string, path: MemberPath, value: MemberValue): string {
  const root = rootOf(text);
  const there = findNodeAtLocation(root, [...path]);
  if (there !== undefined) {
    const indent = indentAt(text, there.offset);
    return spliced(text, [there.offset, endOf(there)], laidOut(text, value, indent));
  }
  let depth = path.length - 1;
  while (depth > 0 && findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1;
  const parent = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  const [name = "", ...rest] = path.slice(depth);
  const wrapped = rest.reduceRight<MemberValue>((inner, one) => ({ [one]: inner }), value);
  return parent === undefined ? text : inserted(text, parent, { name, value: wrapped });
}

/** The text without the member at that place. */
export function withoutJsonMember(text: string, path: MemberPath): string {
  const property = findNodeAtLocation(rootOf(text), [...path])?.parent;
  const siblings = property?.parent?.children ?? [];
  if (property === undefined) return text;
  const comma = commaAfter(text, endOf(property));
  const cut = wholeLines(text, property.offset, comma ?? endOf(property));
  const without = spliced(text, [cut.start, cut.end], "");
  const previous = siblings[siblings.indexOf(property) - 1];
  if (comma !== undefined || previous === undefined) return without;
  const spare = commaAfter(without, endOf(previous));
  return spare === undefined ? without : spliced(without, [spare - 1, spare], "");
}

function inserted(
  text: string,
  parent: Node,
  { name, value }: { name: string; value: MemberValue },
): string {
  const line = lineEndOf(text);
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const close = endOf(parent) - 1;
    const outer = indentAt(text, parent.offset);
    const inner = outer + unitOf(text);
    const kept = text.slice(0, close).trimEnd();
    const property = `${JSON.stringify(name)}: ${laidOut(text, value, inner)}`;
    return `${kept}${line}${inner}${property}${line}${outer}${text.slice(close)}`;
  }
  if (!text.slice(parent.offset, last.offset).includes("\n"))
    return spliced(
      text,
      [endOf(last), endOf(last)],
      `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
  const indent = indentAt(text, last.offset);
  const property = `${line}${indent}${JSON.stringify(name)}: ${laidOut(text, value, indent)}`;
  const comma = commaAfter(text, endOf(last));
  const place = restOfLine(text, comma ?? endOf(last), endOf(parent) - 1);
  const added = spliced(text, [place, place], property);
  return comma === undefined ? spliced(added, [endOf(last), endOf(last)], ",") : added;
}

function rootOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("an empty file has no members");
  return root;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Behind the comma that follows, past blanks and comments. */
function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  if (text[scanner.getTokenOffset()] !== ",") return undefined;
  return scanner.getTokenOffset() + 1;
}

/** Where the line ends, including a comment; before the closing brace if that is on it. */
function restOfLine(text: string, at: number, close: number): number {
  const found = text.indexOf("\n", at);
  if (found === -1 || found > close) return at;
  return text[found - 1] === "\r" ? found - 1 : found;
}

/** The piece with its line if nothing else is on it, else with the blanks after it. */
function wholeLines(text: string, from: number, to: number): { start: number; end: number } {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const blank = text.slice(start, from).trim() === "";
  const rest = /^[ \t]*(?:\r?\n)/.exec(text.slice(to))?.[0];
  if (blank && rest !== undefined) return { start, end: to + rest.length };
  const after = /^[ \t]*/.exec(text.slice(to))?.[0] ?? "";
  return { start: from, end: to + after.length };
}

function laidOut(text: string, value: MemberValue, indent: string): string {
  const lines = JSON.stringify(value, null, unitOf(text)).split("\n");
  return lines.join(lineEndOf(text) + indent);
}

function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

/** One step of indentation, as the text has it. */
function unitOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
}

function spliced(text: string, [start, end]: readonly [number, number], fresh: string): string {
  return text.slice(0, start) + fresh + text.slice(end);
}
