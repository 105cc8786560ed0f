/** Tells whether a human asks the same thing in other words. */

/** Words that two asks must share, of all that they use together. */
const sharedShare = 0.75;
/** Asks with fewer words are not compared. */
const fewestWords = 4;

/** Whether two texts use nearly the same words in any order. Different numbers make them different. */
export function areNearlySame(one: string, other: string, minWords = fewestWords): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (Math.min(a.size, b.size) < minWords) return false;
  const different = [...a].filter((word) => !b.has(word));
  const shared = a.size - different.length;
  different.push(...[...b].filter((word) => !a.has(word)));
  return (
    shared >= sharedShare * (shared + different.length) &&
    !different.some((word) => /^\p{N}/u.test(word))
  );
}

/** In scripts without spaces, every character is a word. */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(wordPattern));
}
