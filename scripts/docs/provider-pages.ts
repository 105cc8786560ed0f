/** The guides to providers: a hand-written page a kind, with a part that follows from the catalogue. */
import { existsSync, readFileSync } from "node:fs";
import { knownKinds } from "../../src/providers/catalogue/kinds.ts";
import { providerFacts } from "./provider-facts.ts";

const begin = "<!-- facts: written by `npm run docs` -->";
const end = "<!-- /facts -->";

/** Each guide as it should be. Throws for a kind without a guide, or a guide without a place for facts. */
export function providerPages(): Readonly<Record<string, string>> {
  return Object.fromEntries(knownKinds.map((kind) => [pageOf(kind), renewed(kind)]));
}

function pageOf(kind: string): string {
  return `docs/providers/${kind}.md`;
}

function renewed(kind: string): string {
  const file = pageOf(kind);
  if (!existsSync(file)) throw new Error(`${file} is missing: every kind has a guide`);
  const text = readFileSync(file, "utf8");
  const [head, rest] = text.split(begin, 2);
  const tail = rest?.split(end, 2)[1];
  if (head === undefined || tail === undefined)
    throw new Error(`${file} has no place for facts: ${begin} … ${end}`);
  return `${head}${begin}\n${providerFacts(kind)}\n${end}${tail}`;
}
