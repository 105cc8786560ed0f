/**
 * SHA-256 (FIPS 180-4) in one go: the runtime's own answers with a promise, and a transaction of an object's database
 * cannot wait for one.
 */

/** Fractions of the roots of the first primes: the eight start values (square) and the 64 round constants (cube). */
const { start, rounds } = constants();

/** Hex digest of the text's UTF-8 bytes. About 20 MB/s; an event has some hundred bytes, and 130 KB at most. */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(start);
  const view = new DataView(bytes.buffer);
  const words = new Uint32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(block + 4 * at);
    expand(words);
    compress(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** Whole blocks of 64 bytes: the message, one set bit, zeros, the length in bits. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64 * Math.ceil((message.length + 9) / 64));
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, 8n * BigInt(message.length));
  return bytes;
}

function expand(words: Uint32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const early = wordAt(words, at - 15);
    const late = wordAt(words, at - 2);
    const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[at] = wordAt(words, at - 16) + small + wordAt(words, at - 7) + large;
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const large = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + large + choice + wordAt(rounds, at) + wordAt(words, at)) | 0;
    const small = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    // One by one: swapping by a list is several times slower.
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + small + majority) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
    state[index] = wordAt(state, index) + word;
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** Never out of bounds: the loops above end where the arrays do. */
function wordAt(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

function constants(): { start: Uint32Array; rounds: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return {
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}

/** The first 32 bits behind the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}
