/**
 * A text that grows by small pieces. A piece that was cut out of a larger text keeps all of that in memory, so pieces are
 * joined before there are many of them.
 */
export class TextPieces {
  readonly #blocks: string[] = [];
  #loose: string[] = [];

  add(piece: string): void {
    this.#loose.push(piece);
    if (this.#loose.length < most) return;
    this.#blocks.push(this.#loose.join(""));
    this.#loose = [];
  }

  text(): string {
    return this.#blocks.join("") + this.#loose.join("");
  }
}

/** Pieces that may wait to be joined. */
const most = 256;
