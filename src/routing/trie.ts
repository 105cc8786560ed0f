/** All cue words as one trie in typed arrays: matching is one pass, however many words there are. */
import { cueNames, cueWords } from "./cues.ts";

/** Bits of an ending: bits 0..27 the cue's index + 1; the flags say what may follow. */
const openEnd = 1 << 30;

interface Trie {
  /** Open addressing: (node << 16 | char) -> next node. */
  keys: Int32Array;
  next: Int32Array;
  /** Per node: 0, or cue index + 1, or'ed with `openEnd` when a longer word matches as well. */
  ends: Int32Array;
}

const size = 1 << 16;
let built: Trie | undefined;

function slot(trie: Trie, key: number): number {
  let at = (Math.imul(key, 0x9e3779b1) >>> 16) & (size - 1);
  while (trie.keys[at] !== 0 && trie.keys[at] !== key) at = (at + 1) & (size - 1);
  return at;
}

function build(): Trie {
  const trie = {
    keys: new Int32Array(size),
    next: new Int32Array(size),
    ends: new Int32Array(size >> 1),
  };
  let nodes = 1;
  cueNames.forEach((name, cue) => {
    for (const entry of cueWords[name].split(/\s+/)) {
      const open = entry.endsWith("*");
      const word = (open ? entry.slice(0, -1) : entry).replaceAll("_", " ");
      let node = 0;
      for (let i = 0; i < word.length; i++) {
        const key = (node << 16) | word.charCodeAt(i) | 0;
        const at = slot(trie, key);
        if (trie.keys[at] === 0) {
          trie.keys[at] = key;
          trie.next[at] = nodes++;
        }
        node = trie.next[at] ?? 0;
      }
      // A word of two kinds counts for the first.
      if (trie.ends[node] === 0 || open) trie.ends[node] = (cue + 1) | (open ? openEnd : 0);
    }
  });
  return trie;
}

const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether a UTF-16 unit belongs to a word. */
export function isLetter(code: number): boolean {
  if (code < 128) return asciiLetters[code] === 1;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code === 0xd7 || code === 0xf7) return false;
  if (code >= 0x2000 && code < 0x2e80) return false;
  if (code >= 0x3000 && code < 0x3041) return code === 0x3005;
  if (code === 0x60c || code === 0x61b || code === 0x61f || code === 0x964 || code === 0x965)
    return false;
  if (code >= 0xff00 && code < 0xff10) return false;
  return code !== 0xfeff;
}

/** Scripts that put no spaces between words: Thai, Lao, Khmer, Kana, Han. */
export function isSpaceless(code: number): boolean {
  return (
    (code >= 0xe00 && code < 0xf00) ||
    (code >= 0x1780 && code < 0x1800) ||
    (code >= 0x3041 && code < 0xa000)
  );
}

/** Adds to `counts` (indexed like `cueNames`) how often each kind of word occurs. `text` is lower case. */
export function countCues(text: string, counts: Uint16Array): void {
  const trie = (built ??= build());
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code)) {
      inWord = false;
      continue;
    }
    if (inWord && !isSpaceless(code)) continue;
    inWord = true;
    const cue = longestAt(trie, text, at);
    if (cue > 0) counts[cue - 1] = (counts[cue - 1] ?? 0) + 1;
  }
}

/** Cue index + 1 of the longest entry that begins at `start`, or 0. */
function longestAt(trie: Trie, text: string, start: number): number {
  let node = 0;
  let found = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const place = slot(trie, (node << 16) | (code === 10 ? 32 : code) | 0);
    if (trie.keys[place] === 0) break;
    node = trie.next[place] ?? 0;
    const end = trie.ends[node] ?? 0;
    if (end !== 0 && (end & openEnd || isBoundary(text, at))) found = end & 0xffff;
  }
  return found;
}

function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSpaceless(code) || code === 32 || at + 1 >= text.length) return true;
  const after = text.charCodeAt(at + 1);
  // Korean particles and Japanese endings stand directly behind the word.
  return !isLetter(after) || isSpaceless(after) || (code >= 0xac00 && code < 0xd7b0);
}
