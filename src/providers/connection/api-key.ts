/** API keys as people paste them: what is round them is taken off, and what cannot be the key is said. */
import { knownKinds, recordOf } from "../catalogue/kinds.ts";

const wrappings: readonly RegExp[] = [
  // A line of a shell or of an `.env` file.
  /^(?:export\s+|set\s+|\$env:)?[A-Z][A-Z0-9_]{2,60}\s*=\s*/,
  /^(?:authorization|x-api-key|api-key)\s*:\s*/i,
  /^bearer\s+/i,
];
const quotes = `"'\`“”‘’`;

/** The key without white space, quotes, `NAME=` and `Bearer` around it. */
export function cleanKey(pasted: string): string {
  let key = pasted.trim();
  for (const wrapping of wrappings) key = withoutQuotes(key).replace(wrapping, "");
  return withoutQuotes(key);
}

function withoutQuotes(text: string): string {
  const from = quotes.includes(text.charAt(0)) ? 1 : 0;
  const to = text.length > 1 && quotes.includes(text.charAt(text.length - 1)) ? -1 : undefined;
  return text.slice(from, to).trim();
}

/** Why a key cannot be right. Its text is never repeated. */
export interface WrongKey {
  readonly cause: "key_form" | "key_of_other";
  readonly message: string;
}

/** What is wrong with the key's form, or whose key it is by its beginning; undefined where it may be right. */
export function keyFault(key: string, kind: string): WrongKey | undefined {
  if (/\s/.test(key)) return malformed("It contains a space or a line break. Paste only the key.");
  if (!/^[\u0021-\u00ff]*$/.test(key) || /[\u007f-\u009f]/.test(key))
    return malformed("It contains characters that can't be sent in a header. Copy it again.");
  if (/[•…*]{3,}|\.{3}/.test(key))
    return malformed("It is abbreviated or masked. Copy the whole key.");
  const name = recordOf(kind)?.name ?? kind;
  if (/^gwa?_[\w-]{20,}$/.test(key))
    return ofOther(`This is a key of this gateway. Enter one of ${name}.`);
  const owner = ownerOf(key);
  if (owner === undefined || owner.kinds.includes(kind)) return undefined;
  return ofOther(`This looks like a key of ${owner.name} (${owner.prefix}…), not of ${name}.`);
}

function malformed(message: string): WrongKey {
  return { cause: "key_form", message };
}

function ofOther(message: string): WrongKey {
  return { cause: "key_of_other", message };
}

interface KeyOwner {
  readonly prefix: string;
  readonly name: string;
  readonly kinds: readonly string[];
}

/** Whose keys begin like this one, by the longest beginning that is known. */
function ownerOf(key: string): KeyOwner | undefined {
  return owners.find(({ prefix }) => key.startsWith(prefix));
}

/** Longest first. */
const owners: readonly KeyOwner[] = allPrefixes()
  .map((prefix) => {
    const kinds = knownKinds.filter((kind) => recordOf(kind)?.keyPrefixes?.includes(prefix));
    return { prefix, kinds, name: recordOf(kinds[0] ?? "")?.name ?? "" };
  })
  .toSorted((a, b) => b.prefix.length - a.prefix.length);

function allPrefixes(): string[] {
  return [...new Set(knownKinds.flatMap((kind) => recordOf(kind)?.keyPrefixes ?? []))];
}
