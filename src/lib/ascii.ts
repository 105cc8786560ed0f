/** Text whose letters of ASCII alone matter. */

/** Lower-cases `A` to `Z` only: the Kelvin sign in lower case is a k, and an address with it another one's. */
export function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
