/** Counts keywords with one trie in typed arrays: matching is one pass, however many keywords there are. */
import { isLetter, isSpaceless } from "./characters.ts";
import { keywordGroupNames, keywordGroups } from "./keyword-groups.ts";

interface KeywordTrie {
  /** Hash table with open addressing: (node << 16 | character) -> next node. */
  readonly keys: Int32Array;
  readonly next: Int32Array;
  /** By node: 0, or index of the group + 1, with `matchesLonger` where the keyword ends in `*`. */
  readonly ends: Int32Array;
}

const matchesLonger = 1 << 30;
const groupMask = 0xffff;
/** Slots of the hash table: a power of two, about twice the number of nodes. */
const tableSize = 1 << 16;

let built: KeywordTrie | undefined;

/** The slot that holds a key, or the empty slot where it belongs. */
function slotOf(trie: KeywordTrie, key: number): number {
  let at = (Math.imul(key, 0x9e3779b1) >>> 16) & (tableSize - 1);
  while (trie.keys[at] !== 0 && trie.keys[at] !== key) at = (at + 1) & (tableSize - 1);
  return at;
}

function buildTrie(): KeywordTrie {
  const trie = {
    keys: new Int32Array(tableSize),
    next: new Int32Array(tableSize),
    ends: new Int32Array(tableSize >> 1),
  };
  let nodes = 1;
  keywordGroupNames.forEach((name, group) => {
    for (const keyword of keywordGroups[name].split(/\s+/)) {
      const open = keyword.endsWith("*");
      const word = (open ? keyword.slice(0, -1) : keyword).replaceAll("_", " ");
      let node = 0;
      for (let at = 0; at < word.length; at++) {
        const key = (node << 16) | word.charCodeAt(at) | 0;
        const slot = slotOf(trie, key);
        if (trie.keys[slot] === 0) {
          trie.keys[slot] = key;
          trie.next[slot] = nodes++;
        }
        node = trie.next[slot] ?? 0;
      }
      // A keyword of two groups counts for the first.
      if (trie.ends[node] === 0 || open) trie.ends[node] = (group + 1) | (open ? matchesLonger : 0);
    }
  });
  return trie;
}

/** Adds to `counts` (indexed like `keywordGroupNames`) the keywords of a lower-case text. */
export function countKeywords(text: string, counts: Uint16Array): void {
  const trie = (built ??= buildTrie());
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code)) {
      inWord = false;
      continue;
    }
    if (inWord && !isSpaceless(code)) continue;
    inWord = true;
    const group = longestMatch(trie, text, at) - 1;
    if (group >= 0) counts[group] = (counts[group] ?? 0) + 1;
  }
}

/** Index of the group + 1 of the longest keyword that begins at `start`, or 0. */
function longestMatch(trie: KeywordTrie, text: string, start: number): number {
  let node = 0;
  let found = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const lineEndAsSpace = code === 10 ? 32 : code;
    const slot = slotOf(trie, (node << 16) | lineEndAsSpace | 0);
    if (trie.keys[slot] === 0) break;
    node = trie.next[slot] ?? 0;
    const end = trie.ends[node] ?? 0;
    if (end !== 0 && (end & matchesLonger || isWordEnd(text, at))) found = end & groupMask;
  }
  return found;
}

function isWordEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSpaceless(code) || code === 32 || at + 1 >= text.length) return true;
  const after = text.charCodeAt(at + 1);
  // Korean particles and Japanese endings follow the word without a space.
  return !isLetter(after) || isSpaceless(after) || (code >= 0xac00 && code < 0xd7b0);
}
