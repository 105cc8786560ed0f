/** What a text looks like. Nothing here depends on its script or its capitals. */
import { scanCharacters, type CharacterCounts } from "./character-scan.ts";
import { keywordGroupNames } from "./keyword-groups.ts";
import { countKeywords } from "./keyword-matcher.ts";
import { scanLines, type LineCounts } from "./line-scan.ts";

/** Counts of one text. */
export interface TextScan extends Readonly<CharacterCounts>, Readonly<LineCounts> {
  /** Keywords by group, in the order of `keywordGroupNames`. */
  readonly keywords: Uint16Array;
  /** Keywords of the first 100 characters: what is asked for, before what it is about. */
  readonly openingKeywords: Uint16Array;
}

const openingLength = 100;

/** Scans a text, whose length the caller has bounded. */
export function scanText(source: string): TextScan {
  const text = source.toLowerCase();
  const keywords = new Uint16Array(keywordGroupNames.length);
  countKeywords(text, keywords);
  const openingKeywords = new Uint16Array(keywordGroupNames.length);
  countKeywords(text.slice(0, openingLength), openingKeywords);
  const characters = scanCharacters(text);
  characters.tokens = Math.max(0, characters.tokens - tokensPerUrging * (keywords[urging] ?? 0));
  return { ...characters, ...scanLines(text), keywords, openingKeywords };
}

const urging = keywordGroupNames.indexOf("urge");
/** Tokens of an urging with the words around it: they must not make a text count as longer. */
const tokensPerUrging = 5;
